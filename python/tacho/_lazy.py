"""Names of the package that are loaded when they are first asked for, so that who only records loads no more than the recorder."""
import importlib

MODULES = {
    "answers": [
        "Advice", "Column", "Comparison", "Error", "InputError", "OutputError", "Profile", "Query", "Result", "Table", "UsageError", "Verdict",
        "Writer", "ask", "compare", "convert", "open", "verbs", "version",
    ],
    "chart": [
        "TimeChartLog", "TimeChartView", "convert_to_perfetto", "csv_to_view_compile_profile", "csv_to_view_runtime_profile",
    ],
    "profiler": [],
}
PLACES = {name: module for module, names in MODULES.items() for name in names}


def __getattr__(name):
    if name in MODULES:
        return importlib.import_module(f"tacho.{name}")
    if name in PLACES:
        return getattr(importlib.import_module(f"tacho.{PLACES[name]}"), name)
    raise AttributeError(f"module 'tacho' has no attribute {name!r}")


def __dir__():
    return sorted([*MODULES, *PLACES])
