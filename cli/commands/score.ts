import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { parseDocumentLists } from '../../src/codecs/document-lists.ts';
import { readQrels } from '../../src/codecs/qrels-reader.ts';
import { readRun } from '../../src/codecs/run-reader.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { parseMeasures, type FileOf } from '../../src/metrics/index.ts';
import {
  changeProtocol,
  digestOfProtocol,
  findProtocol,
  nameOf,
  parseChange,
  PROTOCOLS,
  scoreRun,
  scoringJsonText,
  type ListedDocuments,
  type Protocol,
  type ProtocolSettings,
  type Scoring,
} from '../../src/protocols/index.ts';
import { localFile, localText } from '../local-file.ts';
import { plainTable } from '../print/result-tables.ts';

interface ScoreOptions {
  readonly qrels: string;
  readonly run: string;
  readonly metrics?: string;
  readonly relevanceLevel?: number;
  readonly protocol: string;
  readonly set: readonly string[];
  readonly exclude?: string;
  readonly visible?: string;
  readonly files?: string;
  readonly json: string;
}

/** `assay score`: a run against judgements, by any protocol, as JSON. */
export function register(program: Command): void {
  program
    .command('score')
    .description('metrics of a run against qrels, as JSON on stdout: protocol, counts, mean, perQuery')
    .requiredOption('--qrels <file>', 'judgements: TREC, BEIR TSV, JSON Lines or JSON')
    .requiredOption('--run <file>', 'ranked documents: TREC, or JSON {"query": {"document": score}}')
    .option('--metrics <list>', "names such as nDCG@10,AP,P(rel=2)@10 (default: the protocol's)")
    .option('--relevance-level <n>', "lowest relevant grade (default: the protocol's)", parseLevel)
    .option('--protocol <id>', PROTOCOLS.map((protocol) => protocol.id).join(', '), 'trec')
    .option('--set <field=value>', 'flip one setting of the protocol; may be repeated', collect, [])
    .option(
      '--exclude <file>',
      'documents left out for each query (anchors): JSON {"query": ["document"]} or "query document" lines',
    )
    .option(
      '--visible <file>',
      'documents that exist for each query, same forms; the others are removed before any cut (no list or an empty one: all)',
    )
    .option(
      '--files <file>',
      'the file of each document, for the File measures: "document file" lines or JSON {"document": "file"}',
    )
    .option('--json <file>', 'write the JSON to a file and print a table of means instead', '-')
    .addHelpText(
      'after',
      `
Equal scores are ordered by document id, descending, in UTF-8 bytes; ranks in the file are ignored.
Judged queries that the run lacks count 0 unless the protocol says otherwise; the counts say how many there are.

Examples:
  assay score --qrels qrels.txt --run run.trec
  assay score --qrels test.tsv --run run.json --metrics "nDCG@10,R@100,P(rel=2)@10"
  assay score --qrels q.jsonl --run r.trec --protocol coreb-paper --exclude anchors.json
  assay score --qrels q.trec --run r.trec --set scorePrecision=float32 --json scores.json`,
    )
    .action(async (options: ScoreOptions) => {
      const protocol = chosenProtocol(options);
      const measures =
        options.metrics === undefined
          ? undefined
          : parseMeasures(options.metrics, { relevanceLevel: protocol.settings.relevanceLevel });
      const qrels = await readQrels(await localFile(options.qrels));
      const run = await readRun(await localFile(options.run), {
        duplicates: protocol.settings.duplicateDocuments,
      });
      const lists = await readLists(options);
      const fileOf = options.files === undefined ? undefined : await readFiles(options.files);
      const scoring = scoreRun(protocol, { run: run.run, qrels: qrels.qrels, measures, ...lists, fileOf });
      const notes = [
        ...unusedLists(protocol, options),
        ...unlistedQueries(options.visible, qrels.qrels, lists),
        ...readingNotes(qrels.repeated, run.droppedDuplicates),
      ];
      for (const words of [...notes, ...scoring.notes.map((note) => note.words)]) console.error(words);
      await write(options.json, scoringJsonText(scoring, await digestOfProtocol(protocol), notes));
      if (options.json !== '-') console.log(meansTable(scoring));
    });
}

function chosenProtocol({ protocol, relevanceLevel, set }: ScoreOptions): Protocol {
  let chosen = findProtocol(protocol);
  for (const change of set) chosen = changeProtocol(chosen, parseChange(change));
  return relevanceLevel === undefined ? chosen : changeProtocol(chosen, { relevanceLevel });
}

async function readLists({ exclude, visible }: ScoreOptions): Promise<ListedDocuments> {
  return {
    excluded:
      exclude === undefined ? undefined : asSets(parseDocumentLists(await localText(exclude), exclude).lists),
    visible:
      visible === undefined ? undefined : asSets(parseDocumentLists(await localText(visible), visible).lists),
  };
}

/** An empty list says nothing: as in CORE-Bench, a query with no list sees everything, and has nothing excluded. */
function asSets(lists: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  return new Map([...lists].filter(([, ids]) => ids.length > 0).map(([query, ids]) => [query, new Set(ids)]));
}

async function readFiles(path: string): Promise<FileOf> {
  const { lists } = parseDocumentLists(await localText(path), path);
  return (documentId) => {
    const file = lists.get(documentId)?.[0];
    if (file === undefined)
      throw new AppError(
        'input',
        'file-unknown',
        `${path} names no file for document ${JSON.stringify(documentId)}.`,
      );
    return file;
  };
}

function unusedLists(protocol: Protocol, options: ScoreOptions): string[] {
  const unused = (option: string, field: keyof ProtocolSettings): string =>
    `${option} has no effect: protocol ${nameOf(protocol)} has ${field}=ignored; add --set ${field}=listed to use it.`;
  return [
    ...(options.exclude !== undefined && protocol.settings.exclusions === 'ignored'
      ? [unused('--exclude', 'exclusions')]
      : []),
    ...(options.visible !== undefined && protocol.settings.visibility === 'ignored'
      ? [unused('--visible', 'visibility')]
      : []),
  ];
}

/** `assay search` reads an empty list as "sees nothing" and a query without a pair too: so the other reading is said here. */
function unlistedQueries(
  file: string | undefined,
  qrels: ReadonlyMap<string, unknown>,
  { visible }: ListedDocuments,
): string[] {
  if (file === undefined || visible === undefined) return [];
  const count = [...qrels.keys()].filter((queryId) => !visible.has(queryId)).length;
  if (count === 0) return [];
  return [`${file}: ${count} of the judged queries have no list or an empty one: they see every document`];
}

function readingNotes(repeated: number, dropped: number): string[] {
  return [
    ...(repeated > 0
      ? [`${repeated} judgements stand in the qrels more than once with the same grade: taken once`]
      : []),
    ...(dropped > 0 ? [`${dropped} documents stood in their ranking already: the first was kept`] : []),
  ];
}

async function write(path: string, pieces: Iterable<string>): Promise<void> {
  if (path === '-') {
    for (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    return;
  }
  try {
    await pipeline(pieces, createWriteStream(path));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('input', 'cannot-write', `Cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

function meansTable(scoring: Scoring): string {
  const { evaluation, mean, protocol } = scoring;
  const rows = evaluation.measures.map((measure, m) => [
    measure.name,
    (mean.values[m] ?? null)?.toFixed(4) ?? 'undefined',
  ]);
  return `${plainTable(['measure', 'mean'], rows)}\n${mean.queries} queries, protocol ${nameOf(protocol)}`;
}

function parseLevel(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/u.test(text)) throw new InvalidArgumentError('A whole number from 1 is needed.');
  return Number(text);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
