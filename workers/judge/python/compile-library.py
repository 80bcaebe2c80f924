"""Rebuilds the interpreter's own library as bytecode, in the interpreter that will read it.

Reads the zip that the interpreter started from and /tzdata.zip (the time zone database), and writes /tmp/library.zip:
the same modules, compiled, without sources, without what cannot work here. Dates and order are fixed, so the same input gives the same bytes.
"""

import importlib.util
import marshal
import sys
import zipfile

LEFT_OUT = (
    # The bridge to JavaScript: without its Python half nothing names it.
    "pyodide/",
    "_pyodide/",
    "site-packages/",
    # Programs that need a terminal, a display or an installer.
    "_pyrepl/",
    "ensurepip/",
    "idlelib/",
    "turtledemo/",
    "venv/",
    "pydoc_data/",
)
METADATA = ".dist-info/"


def header():
    """An unchecked bytecode header: never compared with a source file."""
    return importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)


def compile_all(source, target):
    for info in sorted(source.infolist(), key=lambda each: each.filename):
        name = info.filename
        if info.is_dir() or name.startswith(LEFT_OUT) or METADATA in name:
            continue
        data = source.read(info)
        if name.endswith(".py"):
            code = compile(data, f"/lib/python314.zip/{name}", "exec", dont_inherit=True, optimize=0)
            name, data = name + "c", header() + marshal.dumps(code)
        entry = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        target.writestr(entry, data, compresslevel=6)


with zipfile.ZipFile("/tmp/library.zip", "w") as target:
    for path in (sys.path[0], "/tzdata.zip"):
        with zipfile.ZipFile(path) as source:
            compile_all(source, target)
