/** The data set card of exec-mini: its README, made from the same data as its files. */
import { BUG_TYPES, DOMAINS, snippetsOf } from './exec-mini-gates.mjs';

/**
 * The card as Markdown. `outcomesOf(code, tests)` gives the stored outcomes; `metadata` holds the rows of
 * distractor_metadata.jsonl.
 */
export function datasetCard(entries, outcomesOf, metadata) {
  const distractors = entries.reduce((sum, entry) => sum + entry.distractors.length, 0);
  const tests = entries.map((entry) => entry.tests.length);
  let raising = 0;
  for (const entry of entries)
    for (const { code } of snippetsOf(entry).slice(1))
      if (outcomesOf(code, entry.tests).some((outcome) => outcome.startsWith('ERROR'))) raising++;
  const spans = metadata.map((row) => row.span_code_points).sort((a, b) => a - b);
  const percent = ((100 * raising) / distractors).toFixed(1);
  const configs = ['corpus', 'queries', 'distractor_metadata', 'execution_cache'];

  return `---
license: apache-2.0
language: [en]
pretty_name: exec-mini
task_categories: [text-retrieval]
tags: [code, python]
configs:
${configs.map((name) => `  - config_name: ${name}\n    data_files: data/${name}.jsonl`).join('\n')}
---

# exec-mini

${entries.length} Python tasks of our own writing in the files and fields of ExecRetrieval: each has a query as a developer would
type it, one canonical implementation, ${Math.min(...tests)} to ${Math.max(...tests)} assert statements, and up to four distractors. A distractor is the canonical
with one single edit that makes it wrong. Every snippet was executed: each canonical passes all tests of its suite, each distractor
fails at least one of them by its output.

- ${entries.length} queries, ${entries.length + distractors} snippets: ${entries.length} canonicals and ${distractors} distractors, ${tests.reduce((a, b) => a + b, 0)} tests.
- ${raising} of ${distractors} distractors (${percent} %) also raise an exception in at least one test; none fails by exceptions alone, none runs without end.
- Edited span, as ExecRetrieval counts it: ${spans[0]} to ${spans.at(-1)} code points, median ${spans[Math.floor(spans.length / 2)]}.
- Standard library only, deterministic, independent of word size, hash order, locale and time zone.
- Licence: Apache-2.0. Made by \`scripts/make-exec-mini.mjs\` from \`benchmark-sources/exec-mini/\`; do not edit by hand.

## Distractors by domain and bug type

| domain | tasks | ${BUG_TYPES.join(' | ')} | all |
|---|---:|${'---:|'.repeat(BUG_TYPES.length + 1)}
${[...DOMAINS, 'all'].map((domain) => tableRow(domain, entries)).join('\n')}

## Files

| file | a row is |
|---|---|
| data/corpus.jsonl | a snippet: corpus_id, code, label, bug_type (distractors only), source_entry_id. The order is shuffled: position tells nothing |
| data/queries.jsonl | a task: query_id, query, test_suite, correct_corpus_ids, paired_distractor_corpus_ids, entry_id, metadata (domain, name) |
| data/distractor_metadata.jsonl | a distractor's edit of its canonical: half-open place in code points and in UTF-8 bytes of the canonical, before, after, span_code_points |
| data/execution_cache.jsonl | the outcomes of a snippet against its suite, in the order of the tests: pass, FAIL:AssertionError, ERROR:class. tests_sha256 is that of the tests joined by line feeds |

A suite runs in the snippet's own namespace, so tests use what the snippet imports (\`date\`, \`Fraction\`); each test gets a fresh namespace.

## What the bug types mean here

| bug type | the edit |
|---|---|
| off_by_one | a constant, index, step or count is one off, or an index reaches for the neighbour |
| off_by_one_boundary | the end of a range, slice or limit is one off, or a strict comparison became a weak one or the reverse |
| swap_arguments | two arguments of a call, or two members of a tuple that is passed on, changed places |
| remove_edge_case_check | a guard, or one clause of it, is gone |
| wrong_comparison | a comparison is turned round, negated or replaced by another one |
| wrong_operator | an arithmetic, bit or logical operator is replaced, negated or dropped |
`;
}

function tableRow(domain, entries) {
  const own = entries.filter((entry) => domain === 'all' || entry.domain === domain);
  const found = own.flatMap((entry) => entry.distractors);
  const counts = BUG_TYPES.map((bugType) => found.filter((d) => d.bugType === bugType).length);
  return `| ${[domain, own.length, ...counts, found.length].join(' | ')} |`;
}
