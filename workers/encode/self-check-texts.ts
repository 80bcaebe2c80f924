/**
 * Texts on which a model without stored vectors is compared with itself: short and long, prose and code, near-clones among
 * them, since a margin between near-clones is what numerics can turn over. The first six are short.
 */
export const SELF_CHECK_TEXTS: readonly string[] = [
  'return the larger of two numbers',
  'def larger(a, b):\n    return a if a > b else b',
  'def larger(a, b):\n    return a if a >= b else b',
  'def larger(a, b):\n    return a if a < b else b',
  'how to read a file line by line',
  'quicksort',
  'parse a date like 2024-02-29 and say whether its year is a leap year',
  'def is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)',
  'def is_leap(year):\n    return year % 4 == 0 and (year % 100 == 0 or year % 400 == 0)',
  'def clamp(x, low, high):\n    return max(low, min(x, high))',
  'def clamp(x, low, high):\n    return max(high, min(x, low))',
  'func reverse(s []int) {\n\tfor i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {\n\t\ts[i], s[j] = s[j], s[i]\n\t}\n}',
  'SELECT name, COUNT(*) FROM orders GROUP BY name HAVING COUNT(*) > 1',
  'The cache is dropped when the configuration changes, and filled again at the next request.',
  Array.from({ length: 12 }, (_, i) => `def step_${i}(values):\n    return [v + ${i} for v in values]`).join(
    '\n',
  ),
  Array.from({ length: 12 }, (_, i) => `def step_${i}(values):\n    return [v - ${i} for v in values]`).join(
    '\n',
  ),
];
