"""Found first by Python programs that a recorded program starts: they are recorded, too.

The folder of this file is in front of PYTHONPATH, and leaves sys.path at once. The sitecustomize that there would be without it is imported as
always, and takes its name.
"""
import os
import sys


def import_the_other():
    """What Python does without us; nothing where there is none."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != folder]
    sys.path_importer_cache.pop(folder, None)
    ours = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", ours)


def begin():
    """Nothing is said where this interpreter is none that the package was built for: its programs run as without us."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path.append(package)
    try:
        from tacho import recorder
    except ImportError:
        return
    finally:
        if sys.path and sys.path[-1] == package:
            sys.path.pop()
    recorder.begin_child()


def is_of_python():
    """A process that Python has for itself, and that ends only after the program."""
    return any("multiprocessing.resource_tracker" in argument for argument in getattr(sys, "orig_argv", ()))


try:
    import_the_other()
finally:
    if "TACHO_PYTHON" in os.environ and not is_of_python():
        begin()
