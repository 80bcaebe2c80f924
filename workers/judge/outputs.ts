/** Whether two outputs of a program agree: blank ends and runs of blanks do not count, lines do. */
export function outputsAgree(got: string, expected: string): boolean {
  return normalised(got) === normalised(expected);
}

function normalised(text: string): string {
  return text
    .trim()
    .split(/\r?\n/u)
    .map((line) => line.trim().replace(/\s+/gu, ' '))
    .join('\n');
}
