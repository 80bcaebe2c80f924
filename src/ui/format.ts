/** How the page writes numbers, sizes and times: one spelling each, the same in every table and sentence. */

const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count with thousands separators: `4,694`. */
export function countText(count: number): string {
  return counts.format(count);
}

/** A count and its noun: `1 query`, `4,694 queries`. The plural is the singular with an s unless given. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${countText(count)} ${count === 1 ? singular : plural}`;
}

/** A metric to three decimals, `0.183`; `—` for a number that is missing or not finite. */
export function metricText(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '—' : value.toFixed(3);
}

/** The full value, for hovering and copying: the shortest text that parses to the same float64. */
export function fullText(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : String(value);
}

/** An interval to two decimals, `0.14 to 0.23`, as a sentence would say it. */
export function intervalText(low: number, high: number, decimals = 2): string {
  return `${low.toFixed(decimals)} to ${high.toFixed(decimals)}`;
}

/** A share of one in percent with one decimal, `91.5 %`. */
export function percentText(share: number, decimals = 1): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(decimals)} %` : '—';
}

/** A p-value: two figures, `0.048`, and `6.5e-8` below a thousandth. */
export function pText(p: number | null | undefined): string {
  if (p === null || p === undefined || !Number.isFinite(p)) return '—';
  return p < 0.001 && p > 0 ? p.toExponential(1) : p.toPrecision(2);
}

/** Bytes in decimal units with at most three figures: `23.0 MB`, `980 kB`, `12 bytes`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return countOf(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

/** A measured time: `480 ms`, `8.2 s`, `3 min 12 s`, `2 h 05 min`. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return '—';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** An estimate, coarser than a measured time: `about 20 seconds`, `about 4 minutes`. */
export function aboutText(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time';
  if (ms < 7_500) return 'a few seconds';
  if (ms < 55_000) return `about ${Math.round(ms / 10_000) * 10} seconds`;
  if (ms < 90_000) return 'about a minute';
  if (ms < 55 * 60_000) return `about ${Math.round(ms / 60_000)} minutes`;
  if (ms < 90 * 60_000) return 'about an hour';
  return `about ${Math.round(ms / 3_600_000)} hours`;
}

/** A rate: `12.4`, or `0.24` below one; the unit stands in the head. */
export function rateText(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return '—';
  if (perSecond >= 99.95) return countText(perSecond);
  return perSecond >= 1 ? perSecond.toFixed(1) : perSecond.toFixed(2);
}

/** A moment in the reader's own time zone: `2026-11-30 16:57`. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Done out of total with the unit: `12 of 60 queries`, `12 queries` while the total is unknown, `1.2 of 3.0 MB`. */
export function progressText(done: number, total: number | undefined, unit: string): string {
  const isBytes = unit === 'bytes';
  const end = isBytes ? bytesText(total ?? done) : `${countText(total ?? done)} ${unit}`;
  if (total === undefined || done === total) return end;
  return `${isBytes ? bytesText(done) : countText(done)} of ${end}`;
}

/** A rate with its unit of time: `12.4/s`, `0.24/s`, `1.2 MB/s`. */
export function rateOf(perSecond: number, unit: string): string {
  return `${unit === 'bytes' ? bytesText(perSecond) : rateText(perSecond)}/s`;
}
