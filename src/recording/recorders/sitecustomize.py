# Python imports this when it starts, by PYTHONPATH in each process of a run (python-calls.ts). It writes which code objects
# were called, at its end. A file that stays empty is of a process that was killed or that left without its handlers.
import atexit
import json
import os
import sys
import threading

_directory = os.environ.get("PI_LSP_CALLS")
_called = set()


def _note(frame, event, _argument):
    if event == "call":
        _called.add(frame.f_code)


def _begin():
    global _file
    _called.clear()
    _file = os.path.join(_directory, "%d-%d.json" % (os.getpid(), threading.get_ident()))
    open(_file, "w").close()


def _write():
    sys.setprofile(None)
    found = {}
    for code in list(_called):
        lines = found.setdefault(os.path.realpath(code.co_filename), [False, []])
        if code.co_name == "<module>":
            lines[0] = True
        else:
            lines[1].append(code.co_firstlineno)
    with open(_file, "w") as out:
        json.dump(found, out)


# A process whose environment another one has made does not belong to the run.
if _directory:
    _begin()
    os.register_at_fork(after_in_child=_begin)
    atexit.register(_write)
    threading.setprofile(_note)
    sys.setprofile(_note)

# Another one of that name has its turn.
_own = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [each for each in sys.path if os.path.abspath(each) != _own]
_self = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize
except ImportError:
    sys.modules["sitecustomize"] = _self
