# SPDX-License-Identifier: Apache-2.0
"""What the tests written in Python share."""
