/** The interpreter's clocks: real ones, with local time as the world says, whatever the browser's zone is. */
import { ERRNO } from './files.ts';
import type { Import, SystemCalls } from './system-calls.ts';

/** Calls about time. */
export class ClockCalls {
  private readonly host: SystemCalls;

  constructor(host: SystemCalls) {
    this.host = host;
  }

  calls(): Record<string, Import> {
    const fixed = this.host.world.clock === 'fixed';
    const now = fixed ? (): number => 0 : (): number => performance.now();
    const today = fixed ? (): number => 1_704_067_200_000 : (): number => Date.now();
    return {
      emscripten_get_now: now,
      emscripten_date_now: today,
      clock_time_get: (clock: number, _precision: bigint, pointer: number) => {
        if (clock < 0 || clock > 3) return ERRNO.EINVAL;
        const nowMs = clock === 0 ? today() : now();
        this.host.refresh();
        this.host.view.setBigInt64(pointer >>> 0, BigInt(Math.round(nowMs * 1e6)), true);
        return 0;
      },
      clock_res_get: (_clock: number, pointer: number) => {
        this.host.refresh();
        this.host.view.setBigInt64(pointer >>> 0, 1_000_000n, true);
        return 0;
      },
      _gmtime_js: (seconds: bigint, pointer: number) => this.putTime(seconds, pointer, 0),
      _localtime_js: (seconds: bigint, pointer: number) =>
        this.putTime(seconds, pointer, this.host.world.offsetMinutes),
      _timegm_js: (pointer: number) => this.takeTime(pointer, 0),
      _mktime_js: (pointer: number) => this.takeTime(pointer, this.host.world.offsetMinutes),
      _tzset_js: (zone: number, daylight: number, standard: number, summer: number) => {
        this.host.setInt(zone, -this.host.world.offsetMinutes * 60);
        this.host.setInt(daylight, 0);
        this.host.putText(this.host.world.zoneName, standard, 17);
        this.host.putText(this.host.world.zoneName, summer, 17);
      },
      _setitimer_js: () => 0,
    } satisfies Record<string, Import>;
  }

  private putTime(seconds: bigint, pointer: number, offsetMinutes: number): void {
    this.host.refresh();
    const local = new Date((Number(seconds) + offsetMinutes * 60) * 1000);
    const p = pointer >>> 0;
    const year = local.getUTCFullYear();
    const fields = [
      local.getUTCSeconds(),
      local.getUTCMinutes(),
      local.getUTCHours(),
      local.getUTCDate(),
      local.getUTCMonth(),
      year - 1900,
      local.getUTCDay(),
      Math.floor(
        (Date.UTC(year, local.getUTCMonth(), local.getUTCDate()) - Date.UTC(year, 0, 1)) / 86_400_000,
      ),
      0,
      offsetMinutes * 60,
    ];
    fields.forEach((value, i) => this.host.view.setInt32(p + i * 4, value, true));
  }

  private takeTime(pointer: number, offsetMinutes: number): bigint {
    this.host.refresh();
    const p = pointer >>> 0;
    const field = (i: number): number => this.host.view.getInt32(p + i * 4, true);
    const date = new Date(0);
    date.setUTCFullYear(field(5) + 1900, field(4), field(3));
    date.setUTCHours(field(2), field(1), field(0));
    const seconds = Math.floor(date.getTime() / 1000) - offsetMinutes * 60;
    if (!Number.isFinite(seconds)) return -1n;
    this.putTime(BigInt(seconds), pointer, offsetMinutes);
    return BigInt(seconds);
  }
}
