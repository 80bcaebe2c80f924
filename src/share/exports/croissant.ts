/** A file of a built benchmark. */
export interface BenchmarkFile {
  /** Path within the folder. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a built benchmark says of itself. */
export interface BenchmarkDescription {
  readonly name: string;
  readonly description: string;
  /** SPDX id or the address of the licence. */
  readonly licence: string;
  readonly citation: string;
  /** ISO 8601 date. */
  readonly datePublished: string;
  readonly version: string;
  /** Address of the folder, where it has one. */
  readonly url?: string;
  readonly languages: readonly string[];
  readonly counts: { readonly documents: number; readonly queries: number; readonly judgements: number };
  readonly files: readonly BenchmarkFile[];
}

const MIME_TYPES: readonly (readonly [ending: string, type: string])[] = [
  ['.jsonl', 'application/jsonlines'],
  ['.json', 'application/json'],
  ['.tsv', 'text/tab-separated-values'],
  ['.parquet', 'application/x-parquet'],
  ['.md', 'text/markdown'],
];

/** Returns a benchmark as Croissant 1.0 JSON-LD: files with digests, and a record set for each JSON Lines file. */
export function croissantJson(
  benchmark: BenchmarkDescription,
  fieldsOf: Readonly<Record<string, readonly string[]>>,
): string {
  const { name, description, licence, citation, datePublished, version, url, files, languages } = benchmark;
  const objects = files.map(({ path, bytes, sha256 }) => ({
    '@type': 'cr:FileObject',
    '@id': path,
    name: path,
    contentUrl: url === undefined ? path : `${url.replace(/\/?$/u, '/')}${path}`,
    contentSize: `${bytes} B`,
    encodingFormat: MIME_TYPES.find(([ending]) => path.endsWith(ending))?.[1] ?? 'application/octet-stream',
    sha256,
  }));
  const recordSets = files.flatMap(({ path }) => {
    const fields = fieldsOf[path];
    if (fields === undefined) return [];
    const id = path.replace(/^.*\//u, '').replace(/\.[^.]*$/u, '');
    return [
      {
        '@type': 'cr:RecordSet',
        '@id': id,
        name: id,
        field: fields.map((field) => ({
          '@type': 'cr:Field',
          '@id': `${id}/${field}`,
          name: field,
          dataType: 'sc:Text',
          source: { fileObject: { '@id': path }, extract: { jsonPath: `$.${field}` } },
        })),
      },
    ];
  });
  return `${JSON.stringify(
    {
      '@context': CONTEXT,
      '@type': 'sc:Dataset',
      conformsTo: 'http://mlcommons.org/croissant/1.0',
      name,
      description,
      license: licence,
      citeAs: citation,
      datePublished,
      version,
      ...(url === undefined ? {} : { url }),
      keywords: ['code retrieval', ...languages],
      distribution: objects,
      recordSet: recordSets,
    },
    null,
    2,
  )}\n`;
}

/** The context of Croissant 1.0, as its specification prints it, cut to what is used. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  citeAs: 'cr:citeAs',
  conformsTo: 'dct:conformsTo',
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  jsonPath: 'cr:jsonPath',
  recordSet: 'cr:recordSet',
  source: 'cr:source',
};

/** Returns the data set card (README.md) of a benchmark: front matter as the hub reads it, then what is in it. */
export function datasetCard(benchmark: BenchmarkDescription): string {
  const { name, description, licence, citation, languages, counts, files } = benchmark;
  const line = (text: string): string => text.replace(/\s+/gu, ' ').trim();
  return [
    '---',
    `license: ${JSON.stringify(licence)}`,
    `pretty_name: ${JSON.stringify(line(name))}`,
    'task_categories:',
    '- text-retrieval',
    'tags:',
    '- code',
    ...languages.map((language) => `- ${JSON.stringify(language)}`),
    '---',
    '',
    `# ${line(name)}`,
    '',
    line(description),
    '',
    '| | |',
    '|---|---|',
    `| documents | ${counts.documents} |`,
    `| queries | ${counts.queries} |`,
    `| judgements | ${counts.judgements} |`,
    '',
    '## Files',
    '',
    '| file | bytes | SHA-256 |',
    '|---|---|---|',
    ...files.map(
      ({ path, bytes, sha256 }) => `| \`${path.replaceAll('`', '')}\` | ${bytes} | \`${sha256}\` |`,
    ),
    '',
    '## Citation',
    '',
    line(citation),
    '',
  ].join('\n');
}
