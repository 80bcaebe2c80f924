import type { Intent } from '../../analyses/core-bench/queries.ts';
/** What a query is made from: a commit's message, or the description of the pull request that it merged. */
export interface ChangeRequest {
  readonly source: 'commit' | 'pull-request' | 'issue';
  readonly title: string;
  readonly body: string;
}

/** Whether a request can be asked of a retriever, as the paper's filter decides it. */
export interface QueryVerdict {
  readonly verdict: 'keep' | 'leak' | 'meaningless';
  /** One plain sentence; empty for `keep`. */
  readonly reason: string;
  /** Who decided: the mechanical rules here, or an answer that was brought along. */
  readonly by: 'rules' | 'answers';
}

const TRAILER =
  /^(signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|cc|change-id|git-svn-id|pr-url|reviewed-on|bug|close[sd]?|fix(e[sd])?|resolve[sd]?|refs?|see)\s*:?\s+?(#\d+|[^ ].*@.*|https?:\/\/\S+|I[0-9a-f]{20,}|.*<.*>)\s*$/i;

/** A commit's message as a request: without the merge line, the `(#123)` behind the title, and trailers. */
export function requestOf(message: string): ChangeRequest {
  const lines = message.replace(/\r/g, '').trim().split('\n');
  const isMerge = /^merge (pull request|branch|remote-tracking branch|commit|tag)\b/i.test(lines[0] ?? '');
  const rest = isMerge ? lines.slice(1) : lines;
  while (rest.length > 0 && rest[0]?.trim() === '') rest.shift();
  const title = (rest[0] ?? '').replace(/\s*\((#|gh-)\d+\)\s*$/i, '').trim();
  const body = rest
    .slice(1)
    .filter((line) => !TRAILER.test(line.trim()))
    .join('\n')
    .trim();
  return { source: 'commit', title, body };
}

/** The query's text: title, empty line, body. HTML comments and unticked boxes of templates are left out. */
export function queryText({ title, body }: ChangeRequest): string {
  const clean = body
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n')
    .filter((line) => !/^\s*[-*] \[[ x]\]/i.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' ? title : `${title}\n\n${clean}`;
}

/** What the filter looks at beside the text. */
export interface ChangeFacts {
  readonly author: string;
  /** Paths of the gold pieces. */
  readonly goldPaths: readonly string[];
  /** Lines that the change adds, trimmed. */
  readonly addedLines: ReadonlySet<string>;
}

const ROUTINE =
  /^(wip|fix(es|ed)?|typos?|fix typos?|updates?|cleanup|clean up|changes|misc|lint|format(ting)?|merge|oops|test(s|ing)?|(bump|release|prepare|start|back to|set) (version|development|release|for)?.*\d+\.\d+.*|(bump|update) (the )?(version|dependenc(y|ies)|requirements|lock ?file|pre-commit.*|changelog)|v?\d+(\.\d+)+\S*|release.*|apply .*(suggestion|formatting).*|\[?pre-commit.*)\.?$/i;

/**
 * The mechanical filter. `leak`: the text names a file that is to be edited, holds a patch, or quotes a line of the
 * change. `meaningless`: routine messages, messages of bots, and fewer than three words.
 */
export function judgeQuery(text: string, facts: ChangeFacts): QueryVerdict {
  const turnAway = (verdict: 'leak' | 'meaningless', reason: string): QueryVerdict => ({
    verdict,
    reason,
    by: 'rules',
  });
  if (/\[bot\]|dependabot|renovate|pre-commit-ci|greenkeeper/i.test(facts.author))
    return turnAway('meaningless', `written by a bot: ${facts.author}`);
  const [title = ''] = text.split('\n');
  const words = text.match(/\p{L}[\p{L}\p{N}_'-]+/gu) ?? [];
  if (words.length < 3) return turnAway('meaningless', `only ${words.length} words: ${title.slice(0, 80)}`);
  if (text === title && ROUTINE.test(title))
    return turnAway('meaningless', `a routine message: ${title.slice(0, 80)}`);
  if (/^diff --git |^@@ -\d+(,\d+)? \+\d+/m.test(text)) return turnAway('leak', 'it holds a patch');
  for (const path of new Set(facts.goldPaths)) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    // A bare name such as `setup` says little; a file's name with its ending, or a path, says where to look.
    if (containsWord(text, path) || (name.includes('.') && containsWord(text, name)))
      return turnAway('leak', `it names the edited file ${path}`);
  }
  for (const line of text.split('\n')) {
    const quoted = line.trim();
    if (quoted.length >= 25 && /[()[\]{}=;]/.test(quoted) && facts.addedLines.has(quoted))
      return turnAway('leak', `it quotes a line of the change: ${quoted.slice(0, 80)}`);
  }
  return { verdict: 'keep', reason: '', by: 'rules' };
}

/** The intent by key words, documentation by what is edited. A model's or a person's answer may replace it. */
export function intentOf(text: string, goldPaths: readonly string[]): Intent {
  const [title = ''] = text.split('\n');
  const isDocument = (path: string): boolean => /\.(md|rst|txt|adoc|mdx)$|(^|\/)docs?\//i.test(path);
  if (goldPaths.length > 0 && goldPaths.every(isDocument)) return 'documentation';
  if (
    /\bdoc(s|umentation|strings?)?\b|\breadme\b/i.test(title) &&
    !/\bfix(es|ed)? (a )?(bug|crash)/i.test(title)
  )
    return 'documentation';
  if (/\?\s*$/.test(title) || /^(how|why|what|when|is it|can i)\b/i.test(title)) return 'question';
  if (/^(bug)?fix(e[sd])?\b/i.test(title)) return 'bug report';
  if (
    /\b(refactor\w*|renam\w+|clean ?up|simplif\w+|mov(e|ed|ing)|reorgani[sz]\w+|extract\w*|modernize|dedup\w*|remov(e|ed|ing) (unused|dead|deprecated)|inline[sd]?|typ(e|ing) (hint|annotation)s?)\b/i.test(
      title,
    )
  )
    return 'refactoring';
  if (
    /\b(fix\w*|bugs?|crash\w*|errors?|regressions?|fail\w*|wrong\w*|incorrect\w*|broken|leak\w*|prevent\w*|handle[sd]?|revert\w*|don't|do not|instead of|missing)\b/i.test(
      title,
    )
  )
    return 'bug report';
  if (
    /\b(add\w*|support\w*|implement\w*|allow\w*|introduc\w+|new|enable\w*|feature|expose\w*|make|let|use|improve\w*)\b/i.test(
      title,
    )
  )
    return 'feature request';
  return 'other';
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + word.length] ?? ' ';
    if (!/[\w]/.test(before) && !/[\w]/.test(after)) return true;
  }
  return false;
}
