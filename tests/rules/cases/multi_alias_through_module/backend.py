"""The one place where the array module is chosen."""
try:
    import cupynumeric as np
except ImportError:
    import numpy as np
