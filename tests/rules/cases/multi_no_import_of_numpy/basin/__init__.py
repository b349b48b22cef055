"""Water in a basin."""
