/** What CPython 3.11 on a 64-bit machine has and the interpreter here has not: named, so that nobody reads it as wrong. */

/** Modules of CPython 3.11's library that do not exist here. */
const MISSING_LIBRARY = new Set(
  `_crypt _ctypes _curses _curses_panel _dbm _gdbm _hashlib _lsprof _multiprocessing _posixshmem _ssl _testcapi _tkinter
  _uuid aifc asynchat asyncore audioop cgi cgitb chunk crypt ctypes curses dbm distutils ensurepip grp idlelib imghdr imp
  lib2to3 mailcap msilib msvcrt multiprocessing nis nntplib ossaudiodev pipes pwd pydoc_data readline resource smtpd
  sndhdr spwd sqlite3 ssl sunau syslog telnetlib tkinter turtle turtledemo uu venv winreg winsound xdrlib`.split(
    /\s+/u,
  ),
);

/** Packages that candidates often take for granted. */
const MISSING_PACKAGES = new Set(
  `PIL attr bs4 cv2 dateutil django flask gmpy2 hypothesis jax lxml matplotlib more_itertools networkx nltk numba numpy
  pandas polars psutil pydantic pytest pytz regex requests scipy seaborn six sklearn sortedcontainers sympy tensorflow
  torch tqdm typing_extensions yaml`.split(/\s+/u),
);

/** Words for a module that exists elsewhere but not here; undefined when CPython would not find it either. */
export function describeMissingModule(name: string): string | undefined {
  const top = name.split('.')[0] as string;
  if (MISSING_LIBRARY.has(top)) return `module ${top} of Python's library does not exist in a browser`;
  if (MISSING_PACKAGES.has(top)) return `package ${top} is not installed here`;
  return undefined;
}

/** Messages that come from sizes of 32 bits where CPython has 64. */
const MESSAGES_32 = [
  /^cannot fit '.{1,100}' into an index-sized integer$/u,
  /^Python int too large to convert to C (ssize_t|long|size_t)$/u,
  /islice\(\) must be (None or )?an integer: 0 <= x <= sys\.maxsize\.$/u,
  /^repeated (bytes|string) (are|is) too long$/u,
];

/** Whether an OverflowError's or ValueError's text speaks of a 32-bit size. */
export function is32BitMessage(message: string): boolean {
  return MESSAGES_32.some((pattern) => pattern.test(message));
}
