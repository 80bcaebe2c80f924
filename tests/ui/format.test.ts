import { describe, expect, it } from 'vitest';
import {
  aboutText,
  bytesText,
  countOf,
  durationText,
  intervalText,
  metricText,
  momentText,
  percentText,
  progressText,
  rateOf,
  rateText,
} from '../../src/ui/format.ts';

describe('format', () => {
  it('writes metrics to three decimals and never a bare NaN', () => {
    expect(metricText(0.183333)).toBe('0.183');
    expect(metricText(1)).toBe('1.000');
    expect(metricText(Number.NaN)).toBe('—');
    expect(metricText(undefined)).toBe('—');
    expect(intervalText(0.14, 0.2251)).toBe('0.14 to 0.23');
    expect(percentText(0.9936)).toBe('99.4 %');
  });

  it('writes counts with their noun', () => {
    expect(countOf(1, 'query', 'queries')).toBe('1 query');
    expect(countOf(4694, 'query', 'queries')).toBe('4,694 queries');
    expect(progressText(12, 60, 'queries')).toBe('12 of 60 queries');
    expect(progressText(60, 60, 'queries')).toBe('60 queries');
    expect(progressText(1200, undefined, 'texts')).toBe('1,200 texts');
    expect(progressText(1_200_000, 21_369_191, 'bytes')).toBe('1.2 MB of 21.4 MB');
    expect(rateOf(1_234_000, 'bytes')).toBe('1.2 MB/s');
  });

  it('writes sizes in decimal units, without 1000 kB', () => {
    expect([0, 1, 999, 1_000, 22_972_869, 999_499, 999_500, 1e12].map(bytesText)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '23.0 MB',
      '999 kB',
      '1.0 MB',
      '1.0 TB',
    ]);
  });

  it('writes times without 60 s or 60 min', () => {
    expect([12.4, 999.4, 1_000, 59_940, 59_960, 192_000, 3_599_900, 7_500_000].map(durationText)).toEqual([
      '12 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 min 00 s',
      '3 min 12 s',
      '1 h 00 min',
      '2 h 05 min',
    ]);
    expect([1_000, 18_000, 70_000, 240_000, 3_600_000, 7_200_000].map(aboutText)).toEqual([
      'a few seconds',
      'about 20 seconds',
      'about a minute',
      'about 4 minutes',
      'about an hour',
      'about 2 hours',
    ]);
    expect([0.237, 4.25, 1_234.5].map(rateText)).toEqual(['0.24', '4.3', '1,235']);
    expect(momentText('not a date')).toBe('not a date');
  });
});
