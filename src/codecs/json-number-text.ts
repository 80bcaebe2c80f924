/**
 * Returns the number of a top-level member as it is written in the JSON text of an object, or undefined when the member
 * is absent or not a number. JSON.parse turns 9007199254740993 into …992 and 7.0 into 7; an id must keep its digits.
 * `json` must be valid JSON (JSON.parse took it already). With repeated members the last one counts, as in JSON.parse.
 */
export function numberTextOf(json: string, member: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let i = 0;
  let key: string | undefined;
  while (i < json.length) {
    const c = json[i];
    if (c === '"') {
      const end = endOfString(json, i);
      if (depth === 1 && key === undefined) key = JSON.parse(json.slice(i, end)) as string;
      i = end;
    } else if (c === '{' || c === '[') {
      depth++;
      i++;
    } else if (c === '}' || c === ']') {
      depth--;
      i++;
    } else if (c === ',') {
      if (depth === 1) key = undefined;
      i++;
    } else if (depth === 1 && key === member && (c === '-' || (c !== undefined && c >= '0' && c <= '9'))) {
      const end = endOfNumber(json, i);
      found = json.slice(i, end);
      i = end;
    } else {
      i++;
    }
  }
  return found;
}

function endOfString(json: string, start: number): number {
  let i = start + 1;
  while (json[i] !== '"') i += json[i] === '\\' ? 2 : 1;
  return i + 1;
}

function endOfNumber(json: string, start: number): number {
  let i = start;
  while (i < json.length && '0123456789+-.eE'.includes(json[i] as string)) i++;
  return i;
}
