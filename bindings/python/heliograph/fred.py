# SPDX-License-Identifier: Apache-2.0
"""The FRED switch alone: docs/fred.md."""
from ._front import fred_route as route

__all__ = ["route"]
