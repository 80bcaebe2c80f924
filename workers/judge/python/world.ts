/** The two environments in which suites run. */

/** How the interpreter's world is set. */
export interface World {
  /** Minutes east of UTC that local time has; 0 in the first environment. */
  readonly offsetMinutes: number;
  /** Name of the zone, at most 16 characters. */
  readonly zoneName: string;
  /** Bytes of memory beyond which the heap does not grow (MemoryError in Python). */
  readonly memoryCapBytes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A clock that stands still at a fixed date, so that building the image twice gives the same bytes. Default: real. */
  readonly clock?: 'real' | 'fixed';
}

/** The first environment: what verdicts mean unless something else is said. */
export const FIRST_WORLD: World = {
  offsetMinutes: 0,
  zoneName: 'UTC',
  // Enough for a string that grows by appending until the time limit, which CPython ends as a timeout too.
  memoryCapBytes: 1024 * 1024 * 1024,
  environment: {
    HOME: '/home/candidate',
    LANG: 'C.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    PYTHONHASHSEED: '0',
    TZ: 'UTC',
  },
};

/** The second environment, for finding verdicts that depend on the platform: another zone, another order of sets. */
export const SECOND_WORLD: World = {
  ...FIRST_WORLD,
  offsetMinutes: 345,
  zoneName: '+0545',
  environment: { ...FIRST_WORLD.environment, PYTHONHASHSEED: '1', TZ: 'Asia/Kathmandu' },
};
