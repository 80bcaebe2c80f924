/**
 * What one candidate may change and the next must not see. `probe` asserts a clean state; it must pass before `change`,
 * after it, and in either order. `change` is a candidate whose own test passes.
 */
export interface Leak {
  readonly id: string;
  readonly change: string;
  readonly probe: string;
}

export const LEAKS: readonly Leak[] = [
  { id: 'builtin-function', change: 'import builtins\nbuiltins.len = lambda x: 0', probe: "len('abc') == 3" },
  {
    id: 'builtin-class',
    change: 'import builtins\nbuiltins.list = tuple',
    probe: 'type(list((1,))).__name__ == "list"',
  },
  {
    id: 'module-function',
    change: 'import math\nmath.sqrt = lambda x: 42',
    probe: '__import__("math").sqrt(4) == 2.0',
  },
  { id: 'module-constant', change: 'import math\nmath.pi = 3', probe: '__import__("math").pi > 3.1' },
  {
    id: 'random-state',
    change: 'import random\nrandom.seed(1)\nrandom.random()',
    probe: '__import__("random").getstate()[1][:3] != __import__("random").Random(1).getstate()[1][:3]',
  },
  {
    id: 'decimal-context',
    change: 'import decimal\ndecimal.getcontext().prec = 3',
    probe: '__import__("decimal").getcontext().prec == 28',
  },
  {
    id: 'recursion-limit',
    change: 'import sys\nsys.setrecursionlimit(300)',
    probe: '__import__("sys").getrecursionlimit() == 1000',
  },
  {
    id: 'integer-text-limit',
    change: 'import sys\nsys.set_int_max_str_digits(0)',
    probe: '__import__("sys").get_int_max_str_digits() == 4300',
  },
  {
    id: 'path',
    change: 'import sys\nsys.path.insert(0, "/evil")',
    probe: '"/evil" not in __import__("sys").path',
  },
  {
    id: 'modules',
    change: 'import sys, types\nsys.modules["left"] = types.ModuleType("left")',
    probe: '"left" not in __import__("sys").modules',
  },
  {
    id: 'environment',
    change: 'import os\nos.environ["TZ"] = "Asia/Tokyo"\nos.environ["LEFT"] = "1"',
    probe: '__import__("os").environ["TZ"] == "UTC" and "LEFT" not in __import__("os").environ',
  },
  {
    id: 'file',
    change: 'open("left.txt", "w").write("x")',
    probe: 'not __import__("os").path.exists("left.txt")',
  },
  {
    id: 'folder',
    change: 'import os\nos.makedirs("/tmp/left/deep")',
    probe: '__import__("os").listdir("/tmp") == []',
  },
  {
    id: 'working-folder',
    change: 'import os\nos.chdir("/tmp")',
    probe: '__import__("os").getcwd() == "/home/candidate"',
  },
  {
    id: 'library-overwritten',
    change: 'f = open("/lib/python314.zip", "r+b")\nf.write(b"0" * 10_000_000)\nf.close()',
    probe: '__import__("colorsys").rgb_to_hsv(0, 0, 0) == (0.0, 0.0, 0)',
  },
  {
    id: 'library-removed',
    change: 'import os\nos.remove("/lib/python314.zip")',
    probe: '__import__("colorsys").rgb_to_hsv(0, 0, 0) == (0.0, 0.0, 0)',
  },
  {
    id: 'open-files',
    change: 'keep = [open("/tmp/%d" % i, "w") for i in range(200)]',
    probe: 'open("/dev/null").fileno() == 3',
  },
  {
    id: 'closed-output',
    change: 'import os\nos.close(1)\nos.close(0)',
    probe: '__import__("os").write(1, b"x") == 1',
  },
  {
    id: 'function-code',
    change: 'import textwrap\ntextwrap.dedent.__code__ = (lambda text: "x").__code__',
    probe: '__import__("textwrap").dedent(" a") == "a"',
  },
  {
    id: 'function-defaults',
    change:
      'import textwrap\ntextwrap.TextWrapper.__init__.__defaults__ = (1,) + textwrap.TextWrapper.__init__.__defaults__[1:]',
    probe: '__import__("textwrap").TextWrapper().width == 70',
  },
  {
    id: 'keyword-defaults',
    change: 'import dataclasses\ndataclasses.dataclass.__kwdefaults__["frozen"] = True',
    probe: '__import__("dataclasses").dataclass.__kwdefaults__["frozen"] is False',
  },
  {
    id: 'static-type',
    change: 'import gc\ngc.get_referents(str.__dict__)[0]["upper"] = lambda self: "x"',
    probe: '"a".upper() == "A"',
  },
  {
    id: 'abstract-registry',
    change: 'import collections.abc\ncollections.abc.Sized.register(int)',
    probe: 'not isinstance(1, __import__("collections.abc").abc.Sized)',
  },
  {
    id: 'copy-registry',
    change: 'import copyreg\ncopyreg.pickle(complex, lambda c: (complex, (0, 0)))',
    probe:
      '__import__("copy").deepcopy(1 + 2j) == 1 + 2j and complex not in {k for k in __import__("copyreg").dispatch_table if k is not complex}',
  },
  {
    id: 'warnings-filter',
    change: 'import warnings\nwarnings.simplefilter("error")',
    probe: '__import__("warnings").warn("x") is None',
  },
  {
    id: 'codec',
    change: 'import codecs\ncodecs.register_error("strict", lambda e: ("x", e.end))',
    probe: '[1 for _ in [0] if not "é".encode("utf-8") == b"\\xc3\\xa9"] == []',
  },
  {
    id: 'collector',
    change: 'import gc\ngc.disable()\ngc.set_threshold(1, 1, 1)',
    probe: '__import__("gc").isenabled() and __import__("gc").get_threshold()[0] > 100',
  },
  {
    id: 'exit-hook',
    change: 'import atexit\natexit.register(print)',
    probe: '__import__("atexit")._ncallbacks() == 0',
  },
  {
    id: 'signal-handler',
    change: 'import signal\nsignal.signal(signal.SIGTERM, lambda *a: None)',
    probe: '__import__("signal").getsignal(15) == 0',
  },
  {
    id: 'locale',
    change: 'import locale\nlocale.setlocale(locale.LC_ALL, "C.UTF-8")',
    probe: '__import__("locale").setlocale(0) in ("C", "C.UTF-8")',
  },
  {
    id: 'pending-task',
    change:
      'import asyncio\nloop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nloop.create_task(asyncio.sleep(1))',
    probe: '"asyncio" not in __import__("sys").modules',
  },
  {
    id: 'hook',
    change: 'import sys\nsys.addaudithook(lambda *a: 1 / 0 if a[0] == "open" else None)',
    probe: 'open("/dev/null").read() == ""',
  },
  {
    id: 'type-cache',
    change: 'class A:\n    x = 1\nimport builtins\nbuiltins.A = A',
    probe: '"A" not in vars(__import__("builtins"))',
  },
  {
    id: 'interned-growth',
    change: 'keep = [str(i) * 10 for i in range(300_000)]',
    probe: '__import__("gc").get_freeze_count() > 0',
  },
];
