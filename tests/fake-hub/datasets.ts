import { parquetWriteBuffer } from 'hyparquet-writer';
import { jsonLines } from './exec-dataset.ts';
import type { FakeDataset } from './fake-hub.ts';

/** Columns as a parquet file. */
export function parquetFile(
  columns: Readonly<Record<string, readonly unknown[]>>,
  json: readonly string[] = [],
): Uint8Array {
  const columnData = Object.entries(columns).map(([name, data]) => ({
    name,
    data: [...data],
    ...(json.includes(name) ? { type: 'JSON' as const } : {}),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

const LANGUAGES = ['python', 'java', 'cpp', 'ruby', 'go'];

/** CoREB's release v2603 with `problems` problems: each has two solutions in each of five languages, half of them correct. */
export function corebDataset(problems = 6): FakeDataset {
  const codes = Array.from({ length: problems * 10 }, (_, i) => ({
    id: `code_v202603_${String(i).padStart(5, '0')}`,
    problem: Math.floor(i / 10),
    language: LANGUAGES[Math.floor(i / 2) % 5] as string,
    passed: i % 2 === 0,
  }));
  const release = 'release_v2603';
  const at = (config: string): string => `${release}/${config}-${release}-00000-of-00001.parquet`;
  const t2c = Array.from({ length: problems }, (_, p) => ({
    id: `q_t2c_canonical_retro_python_${p}`,
    problem: p,
  }));
  const t2cQrels = t2c.flatMap(({ id, problem }) =>
    codes
      .filter((code) => code.problem === problem)
      .map((code) => ({ query: id, document: code.id, grade: code.passed ? 2 : 1 })),
  );
  const anchors = codes.filter((code) => code.language === 'python' && code.passed);
  const c2cQrels = anchors.flatMap((anchor) =>
    codes
      .filter((code) => code.problem === anchor.problem && code.language !== 'python')
      .map((code) => ({
        query: `q_c2c_cross_lang_${anchor.id}`,
        document: code.id,
        grade: code.passed ? 2 : 1,
      })),
  );
  const texts = Array.from({ length: problems * 2 }, (_, i) => ({
    id: `text_${i}`,
    problem: i >> 1,
    noise: i % 2 === 1,
  }));
  const c2tQrels = anchors.flatMap((anchor) =>
    texts
      .filter((text) => text.problem === anchor.problem)
      .map((text) => ({ query: `q_c2t_${anchor.id}`, document: text.id, grade: text.noise ? 1 : 2 })),
  );
  const qrels = (rows: readonly { query: string; document: string; grade: number }[]): Uint8Array =>
    parquetFile({
      query_id: rows.map((row) => row.query),
      doc_id: rows.map((row) => row.document),
      relevance: rows.map((row) => BigInt(row.grade)),
    });
  const files = new Map<string, Uint8Array>([
    [
      at('code_corpus'),
      parquetFile({
        code_id: codes.map((code) => code.id),
        code: codes.map((code) => `// ${code.language} solution of problem ${code.problem}, ${code.id}\n`),
        language: codes.map((code) => code.language),
        model: codes.map(() => 'a-model'),
        // Python's repr, as some rows of the release carry it.
        meta: codes.map(
          (code) =>
            `{'source_problem_id': 'lcb_${code.problem}', 'passed': ${code.passed ? 'True' : 'False'}, 'created_at': None}`,
        ),
      }),
    ],
    [
      at('text_corpus'),
      parquetFile({
        text_id: texts.map((text) => text.id),
        text: texts.map((text) => `Problem ${text.problem} ${text.noise ? 'changed' : ''}`),
      }),
    ],
    [
      at('text2code_queries'),
      parquetFile({
        query_id: t2c.map((query) => query.id),
        query: t2c.map((query) => `Solve problem ${query.problem}`),
        subtask: t2c.map(() => 't2c_canonical_retro_python'),
        language_constraint: t2c.map(() => 'python'),
      }),
    ],
    [at('text2code_qrels'), qrels(t2cQrels)],
    [
      at('code2code_queries'),
      parquetFile(
        {
          query_id: anchors.map((anchor) => `q_c2c_cross_lang_${anchor.id}`),
          query: anchors.map((anchor) => `code of ${anchor.id}`),
          subtask: anchors.map(() => 'c2c_cross_lang'),
          meta: anchors.map((anchor) => ({ anchor_code_id: anchor.id, target_languages: ['java'] })),
        },
        ['meta'],
      ),
    ],
    [at('code2code_qrels'), qrels(c2cQrels)],
    [
      at('code2text_queries'),
      parquetFile({
        query_id: anchors.map((anchor) => `q_c2t_${anchor.id}`),
        code: anchors.map((anchor) => `code of ${anchor.id}`),
        text_id: anchors.map((_, i) => `text_${i}`),
        subtask: anchors.map(() => 'c2t_match'),
      }),
    ],
    [at('code2text_qrels'), qrels(c2tQrels)],
  ]);
  return { id: 'hq-bench/coreb', revision: `3441057${'0'.repeat(33)}`, files };
}

/** CORE-Bench's Level 2 with two repositories and a rewrite of one; `documents` chunks and `queries` queries each. */
export function coreBenchDataset(documents = 40, queries = 6, visible = 20): FakeDataset {
  const files = new Map<string, Uint8Array>();
  for (const [folder, tsv] of [
    ['data/LEVEL-2/SWE-bench Verified/django__django', false],
    ['data/LEVEL-2/Multi-SWE-bench/grpc-go', true],
  ] as const) {
    const bom = new TextEncoder().encode('\uFEFF');
    const corpus = jsonLines(
      Array.from({ length: documents }, (_, i) => ({
        _id: `chunk_${i}`,
        title: `src/file_${i % 7}.py`,
        text: `def f${i}():\n    pass\n`,
      })),
    );
    files.set(`${folder}/corpus.jsonl`, Uint8Array.from([...bom, ...corpus]));
    const rows = Array.from({ length: queries }, (_, q) => ({
      _id: `pr_${q}`,
      text: `Fix issue ${q}`,
      // The last query sees everything: its list is empty.
      filtered_corpus_id:
        q === queries - 1 ? [] : Array.from({ length: visible }, (_, i) => `chunk_${(q + i) % documents}`),
    }));
    files.set(`${folder}/queries.jsonl`, jsonLines(rows));
    const judged = rows.map((row, q) => ({ query: row._id, document: `chunk_${q % documents}` }));
    if (tsv) {
      const lines = [
        'query-id\tcorpus-id\tscore',
        ...judged.map((row) => `${row.query}\t${row.document}\t1`),
      ];
      files.set(`${folder}/qrels/test.tsv`, new TextEncoder().encode(lines.join('\n')));
    } else {
      files.set(
        `${folder}/qrels.jsonl`,
        jsonLines(judged.map((row) => ({ qid: row.query, 'corpus-id': row.document, score: 1 }))),
      );
    }
  }
  files.set(
    'data/Rewrite-LEVEL-2/SWE-bench Verified/django__django/queries.jsonl',
    jsonLines(Array.from({ length: queries }, (_, q) => ({ id: `pr_${q}`, text: `please fix ${q}` }))),
  );
  return { id: 'zhangfw123/CORE-Bench', revision: '23aee66caabfcd8fec37cb5518c96ae43069460a', files };
}

/** A data set of MTEB's form with a part for each of two languages. */
export function mtebDataset(): FakeDataset {
  const files = new Map<string, Uint8Array>();
  for (const language of ['python', 'go']) {
    files.set(
      `${language}-corpus/corpus-00000-of-00001.parquet`,
      parquetFile({ _id: ['1', '2', '3'], title: ['A', '', 'C'], text: [`${language} a`, 'b', 'c'] }),
    );
    files.set(
      `${language}-queries/queries-00000-of-00001.parquet`,
      parquetFile({ _id: ['q1', 'q2'], text: ['x', 'y'] }),
    );
    for (const split of ['train', 'test'])
      files.set(
        `${language}-qrels/${split}-00000-of-00001.parquet`,
        parquetFile({
          'query-id': ['q1', 'q2'],
          'corpus-id': split === 'test' ? ['1', '2'] : ['3', '3'],
          score: [1, 1],
        }),
      );
  }
  return { id: 'lab/mteb-like', revision: 'e'.repeat(40), files };
}
