"""The names of Tracy's Python module, for programs that have them already: they record with Tacho.

This package is found only where no other `tracy` is installed.
"""
from tacho import Profiler, signpost

__all__ = ["Profiler", "signpost"]
