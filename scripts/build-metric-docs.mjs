// Writes docs/metrics.md from src/metrics: names and parameters from the list, formula, edge cases, ties and source from the
// doc comment of each metric's file. `--check` writes nothing and exits 1 when the page is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import ts from 'typescript';
import { runnerImport } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const page = path.join(root, 'docs', 'metrics.md');
const TIES = 'Score descending, then document id descending by UTF-8 bytes, settled before the cut.';

const NEEDS = {
  verdicts: 'the verdict on each retrieved document',
  files: 'the file of each document',
  'judged-anywhere': 'the judgements of all queries',
};
const { module } = await runnerImport(path.join(root, 'src/metrics/list.ts'), { logLevel: 'error' });
const comments = readComments(path.join(root, 'src/metrics'));
const text = await format(render(module.METRICS, comments), { parser: 'markdown', printWidth: 110 });
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.error('docs/metrics.md is stale: run node scripts/build-metric-docs.mjs');
  process.exitCode = 1;
}

/** The doc comment above each exported metric, by the metric's name: its text and its tags. */
function readComments(folder) {
  const found = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(folder, file), 'utf8'),
      ts.ScriptTarget.ES2022,
      true,
    );
    for (const statement of source.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const [declaration] = statement.declarationList.declarations;
      const type = declaration?.type?.getText(source);
      if (type !== 'QueryMetric' && type !== 'RunMetric') continue;
      const name = declaration.initializer.properties.find((property) => property.name.text === 'name')
        ?.initializer.text;
      const comment = ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc);
      const tags = new Map((comment?.tags ?? []).map((tag) => [tag.tagName.text, plain(tag.comment)]));
      found.set(name, { file, text: plain(comment?.comment), tags });
    }
  }
  return found;
}

function plain(comment) {
  return (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/gu, ' ').trim();
}

function render(metrics, documented) {
  const parts = [
    '# Metrics',
    '',
    '<!-- Written by scripts/build-metric-docs.mjs from the doc comments in src/metrics. Edit those, not this page. -->',
    '',
    'Names follow ir-measures: `nDCG@10`, `P(rel=2)@10`. A parameter is shown when it differs from its default; `rel` is the lowest',
    'relevant grade, 1 unless the evaluation (`--relevance-level`, or the protocol) sets another. Each name has one spelling.',
    '',
    '**Ties, everywhere:** score descending, then document id descending by UTF-8 bytes, settled before any cut. Rank columns and the',
    'order of the input are ignored. Means: see the protocol; judged queries that the run lacks count 0 unless it says otherwise.',
    '',
    '| name | in words | cutoff | range |',
    '| --- | --- | --- | --- |',
    ...metrics.map(
      (metric) =>
        `| [\`${metric.name}\`](#${anchor(metric)}) | ${metric.definition} | ${metric.cutoff} | ${range(metric.range)} |`,
    ),
  ];
  for (const metric of metrics) {
    const comment = documented.get(metric.name);
    if (comment === undefined) throw new Error(`src/metrics: no doc comment found for ${metric.name}`);
    const tag = (name) => {
      const value = comment.tags.get(name);
      if (!value)
        throw new Error(`src/metrics/${comment.file}: the doc comment of ${metric.name} lacks @${name}`);
      return value;
    };
    parts.push('', `## ${metric.name}: ${metric.title.toLowerCase()}`, '', comment.text, '');
    parts.push(`- **Formula.** ${tag('formula')}`);
    for (const parameter of metric.parameters)
      parts.push(`- **Parameter \`${parameter.name}\`.** ${parameterText(parameter)}`);
    parts.push(`- **Edge cases.** ${tag('edgeCases')}`);
    parts.push(`- **Ties.** ${comment.tags.get('ties') ?? TIES}`);
    parts.push(`- **Source.** ${tag('source')}`);
    if (metric.alsoCalled.length > 0) parts.push(`- **Elsewhere called.** ${metric.alsoCalled.join(', ')}`);
    if (metric.needs.length > 0)
      parts.push(`- **Needs.** ${metric.needs.map((need) => NEEDS[need]).join('; ')}.`);
  }
  return `${parts.join('\n')}\n`;
}

function anchor(metric) {
  return `${metric.name}: ${metric.title}`
    .toLowerCase()
    .replace(/[^\w\- ]/gu, '')
    .replaceAll(' ', '-');
}

function range([low, high]) {
  const show = (value) => (Number.isFinite(value) ? String(value) : value > 0 ? '∞' : '-∞');
  return `${show(low)} to ${show(high)}`;
}

function parameterText(parameter) {
  if (parameter.kind === 'level') return `${parameter.meaning}.`;
  if (parameter.kind === 'number')
    return `${parameter.meaning}; ${parameter.whole ? 'a whole number' : 'a number'} from ${parameter.from} to ${parameter.to}, ${parameter.fallback} if not said.`;
  if (parameter.kind === 'choice')
    return `${parameter.meaning}; one of ${parameter.choices.map((choice) => `'${choice}'`).join(', ')}, '${parameter.fallback}' if not said.`;
  return `${parameter.meaning}; '${parameter.fallback}' if not said.`;
}
