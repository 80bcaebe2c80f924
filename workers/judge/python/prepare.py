"""Makes a started interpreter ready for candidates: runs once, before the state that every suite starts from is taken.

It loads what candidates commonly import, takes away what would let one test be skipped or another's be seen (tracing),
and replaces what a browser cannot do (threads, processes, sockets in the event loop) by something that says so or works
without it. Afterwards only `assay_explain` and the two exception classes are reachable, through the module object that
the harness takes out of `sys.modules`.
"""

import sys
import types


def main():
    for name in PRELOADED.split():
        __import__(name)
    without_tracing()
    without_threads_and_processes()
    with_plain_event_loop()
    with_plain_locale()
    # What the preparation itself left behind.
    sys.path_importer_cache.clear()
    sys.path[:] = [path for path in sys.path if path]
    import gc

    gc.collect()
    gc.freeze()


PRELOADED = """
__future__ _strptime abc argparse array ast bisect builtins calendar cmath collections collections.abc contextlib copy
copyreg dataclasses datetime decimal enum fractions functools hashlib heapq inspect io itertools json keyword math
numbers operator os os.path pathlib pickle pprint queue random re reprlib secrets shutil statistics string struct sys
tempfile textwrap threading time timeit traceback types typing unicodedata uuid warnings weakref zlib zoneinfo
importlib.resources urllib.parse html csv difflib
"""


def _exception(base, name):
    """A kind of exception that says that a browser lacks something; the harness knows it by its address."""
    return type(name, (base,), {"__module__": "builtins", "__qualname__": name})


NoThread = _exception(RuntimeError, "RuntimeError")
NoProcess = _exception(OSError, "OSError")


def without_tracing():
    """A trace function may jump over an assert, so none can be set. `None` is accepted: it changes nothing."""
    import gc
    import threading

    def refuse(name):
        def tracing(function=None, *_):
            if function is not None:
                raise NoThread(f"sys.{name}: tracing is off while a suite runs")

        tracing.__name__ = tracing.__qualname__ = name
        return tracing

    names = (
        "settrace",
        "setprofile",
        "_settraceallthreads",
        "_setprofileallthreads",
        "monitoring",
        "remote_exec",
        "activate_stack_trampoline",
    )
    stubs = {name: refuse(name) for name in names}
    del stubs["monitoring"], stubs["remote_exec"], stubs["activate_stack_trampoline"]
    originals = {id(getattr(sys, name)): name for name in names if hasattr(sys, name)}
    # Wherever they lie: the module, the copy from which `importlib.reload(sys)` would bring them back, other modules.
    for holder in gc.get_objects():
        if type(holder) is not dict or holder is originals or holder is stubs:
            continue
        for key, value in list(holder.items()):
            if id(value) in originals and key != "value":
                name = originals[id(value)]
                if name in stubs:
                    holder[key] = stubs[name]
                else:
                    del holder[key]
    for name in ("settrace", "setprofile", "settrace_all_threads", "setprofile_all_threads"):
        setattr(threading, name, refuse(name))


def without_threads_and_processes():
    import _thread
    import threading

    def start(*_, **__):
        raise NoThread("can't start new thread: a browser has no threads for Python")

    for holder in (_thread, threading):
        for name in list(vars(holder)):
            if name in ("start_new_thread", "start_new", "start_joinable_thread", "_start_joinable_thread"):
                setattr(holder, name, start)

    import os
    import posix

    def process(*_, **__):
        raise NoProcess(138, "a browser has no processes")

    for holder in (os, posix):
        for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen", "execv", "execve"):
            if hasattr(holder, name):
                setattr(holder, name, process)
    LATE["subprocess"] = lambda module: setattr(module.Popen, "__init__", process)


# Changes to modules that are not loaded yet: made when a candidate imports them.
LATE = {}


def with_plain_event_loop():
    """asyncio without a wake-up socket: nothing outside can wake the loop, so it sleeps until its next timer."""

    def change(module):
        import selectors
        import time

        class Selector(selectors._BaseSelectorImpl):
            def select(self, timeout=None):
                if timeout is None:
                    raise NoThread("the event loop waits for something that cannot happen in a browser")
                if timeout > 0:
                    time.sleep(timeout)
                return []

        loop = module.SelectorEventLoop
        original = loop.__init__
        loop.__init__ = lambda self, selector=None: original(self, selector or Selector())
        base = loop.__mro__[1]
        base._make_self_pipe = lambda self: None
        base._close_self_pipe = lambda self: None
        base._write_to_self = lambda self: None

    LATE["asyncio.unix_events"] = change


def with_plain_locale():
    """CPython has only the C locales here and there; the C library of this one accepts every name."""
    import _locale

    accept = _locale.setlocale

    def setlocale(category, locale=None):
        if locale not in (None, "", "C", "POSIX", "C.UTF-8", "C.utf8"):
            raise _locale.Error("unsupported locale setting")
        return accept(category, locale)

    _locale.setlocale = setlocale


class _LateFinder:
    """Applies LATE: lets the ordinary finders find, then changes the module once it has run."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        change = LATE.pop(name, None)
        if change is None:
            return None
        for finder in sys.meta_path:
            if finder is _LateFinder:
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                run = spec.loader.exec_module

                class Loader:
                    create_module = staticmethod(lambda spec: None)

                    @staticmethod
                    def exec_module(module):
                        run(module)
                        change(module)

                spec.loader = Loader
                return spec
        return None


def assay_explain(error, test, limit):
    """What the harness shows of a failure, as a list of texts. Nothing here decides a verdict.

    Returns [assert text, expected, got, frame, frame, ...]; each frame is (file, line, name, [(variable, text), ...]).
    """
    import ast

    frames = []
    step = error.__traceback__
    failed = None
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in ("<test>", "<candidate>"):
            frames.append((code.co_filename, step.tb_lineno, code.co_name, step.tb_frame))
            if code.co_filename == "<test>":
                failed = frames[-1]
        step = step.tb_next

    def show(value):
        try:
            text = repr(value)
        except BaseException as problem:
            text = f"<repr failed: {type(problem).__name__}>"
        return text if len(text) <= limit else text[:limit] + "..."

    statement = expected = got = None
    if failed is not None and isinstance(error, AssertionError):
        _, line, _, frame = failed
        node = None
        for each in ast.walk(ast.parse(test)):
            if isinstance(each, ast.Assert) and each.lineno <= line <= each.end_lineno:
                node = each
        if node is not None:
            statement = ast.get_source_segment(test, node)
            compared = node.test
            if isinstance(compared, ast.Compare) and len(compared.ops) == 1:
                sides = (compared.left, compared.comparators[0])
            else:
                sides = (compared,)
            values = []
            for side in sides:
                try:
                    code = compile(ast.Expression(side), "<test>", "eval")
                    values.append(show(eval(code, frame.f_globals, dict(frame.f_locals))))
                except BaseException as problem:
                    values.append(f"<{type(problem).__name__}>")
            got = values[0]
            expected = values[1] if len(values) == 2 else None
    shown = []
    for name, line, function, frame in frames:
        variables = []
        for variable, value in list(frame.f_locals.items())[:40]:
            if variable.startswith("__") or isinstance(value, (types.ModuleType, types.FunctionType, type)):
                continue
            variables.append((variable, show(value)))
        shown.append((name, line, function, variables))
    return [statement, expected, got, shown]


main()
sys.meta_path.insert(0, _LateFinder)
