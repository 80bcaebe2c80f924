"""Makes a started interpreter ready for candidates: runs once, before the state that every suite starts from is taken.

It loads what candidates commonly import, takes away what would let one test be skipped or another's be seen (tracing),
and replaces what a browser cannot do (threads, processes, sockets in the event loop) by something that says so or works
without it. The harness keeps `assay_explain`, `assay_suspicious` and
the two exception classes by their addresses. `SECOND` is set before this text: whether this is the second environment.
"""

import sys
import types


def main():
    with_plain_locale()
    for name in PRELOADED.split():
        __import__(name)
    without_tracing()
    without_threads_and_processes()
    with_plain_event_loop()
    with_zones()
    if SECOND:
        like_another_platform()
    # What the preparation itself left behind.
    sys.path_importer_cache.clear()
    sys.path[:] = [path for path in sys.path if path]
    import gc

    gc.collect()
    gc.freeze()


# What candidates commonly import. Every module here makes each restore of the memory a little longer, every module left
# out costs its first import (1 to 50 ms) in each suite that needs it.
PRELOADED = """
__future__ _strptime abc array ast bisect builtins calendar cmath collections collections.abc contextlib copy copyreg
dataclasses datetime decimal enum fractions functools hashlib heapq inspect io itertools json keyword math numbers
operator os os.path random re reprlib secrets statistics string struct sys textwrap threading time types typing
unicodedata warnings weakref zoneinfo
"""


def _exception(base, name):
    """A kind of exception that says that a browser lacks something; the harness knows it by its address."""
    return type(name, (base,), {"__module__": "builtins", "__qualname__": name})


NotHere = _exception(RuntimeError, "RuntimeError")
NoProcess = _exception(OSError, "OSError")


def without_tracing():
    """A trace function may jump over an assert, so none can be set. `None` is accepted: it changes nothing."""
    import gc
    import threading

    def refuse(name):
        def tracing(function=None, *_):
            if function is not None:
                raise NotHere(f"sys.{name}: tracing is off while a suite runs")

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
        raise NotHere("can't start new thread: a browser has no threads for Python")

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
    # A timer or a signal that never comes would turn a right program into an endless one.
    import _signal
    import signal

    def signals(*_, **__):
        raise NotHere("signals and their timers do not exist in a browser")

    for holder in (_signal, signal):
        for name in ("alarm", "setitimer", "pause", "sigwait", "pthread_kill"):
            setattr(holder, name, signals)
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
                    raise NotHere("the event loop waits for something that cannot happen in a browser")
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


def with_zones():
    """The time zone database lies in the library's zip: read from there without the machinery for resources."""
    import io
    import zipimport
    import zoneinfo._common as common

    folder = "/lib/python314.zip/tzdata/zoneinfo/"
    library = zipimport.zipimporter("/lib/python314.zip")

    def load_tzdata(key):
        try:
            return io.BytesIO(library.get_data(folder + key))
        except OSError:
            raise common.ZoneInfoNotFoundError(f"No time zone found with key {key}") from None

    common.load_tzdata = load_tzdata


def like_another_platform():
    """The second environment: what depends on the machine comes out differently here than in the first."""
    import builtins
    import math

    def perturbed(function):
        def last_bit(*args):
            result = function(*args)
            if type(result) is not float or not math.isfinite(result) or result.is_integer():
                return result
            return math.nextafter(result, math.inf)

        last_bit.__name__ = function.__name__
        return last_bit

    for name in (
        "acos acosh asin asinh atan atan2 atanh cbrt cos cosh dist erf erfc exp exp2 expm1 gamma hypot lgamma log log10 "
        "log1p log2 pow sin sinh tan tanh"
    ).split():
        setattr(math, name, perturbed(getattr(math, name)))

    # As on a 64-bit machine.
    sys.maxsize = 2**63 - 1
    hash32 = builtins.hash

    def hash64(value):
        if type(value) is not int:
            return hash32(value)
        result = abs(value) % (2**61 - 1) * (-1 if value < 0 else 1)
        return -2 if result == -1 else result

    builtins.hash = hash64
    size = sys.getsizeof
    sys.getsizeof = lambda *args: size(*args) * 2


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
    for name, line, function, frame in frames[:10] + frames[10:][-20:]:
        variables = []
        for variable, value in list(frame.f_locals.items())[:40]:
            if variable.startswith("__") or isinstance(value, (types.ModuleType, types.FunctionType, type)):
                continue
            variables.append((variable, show(value)))
        shown.append((name, line, function, variables))
    return [statement, expected, got, shown]


def assay_suspicious(test, names):
    """Whether the first comparison of the test that can be evaluated again holds for anything at all."""
    import ast

    for node in ast.walk(ast.parse(test)):
        if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
            continue
        if not isinstance(node.test.ops[0], ast.Eq):
            continue
        for side in (node.test.left, node.test.comparators[0]):
            if isinstance(side, ast.Constant):
                continue
            try:
                value = eval(compile(ast.Expression(side), "<test>", "eval"), names, dict(names))
                return bool(value == object())
            except Exception:
                continue
    return False


main()
sys.meta_path.insert(0, _LateFinder)
