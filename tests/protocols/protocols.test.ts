import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../seed.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { readRun } from '../../src/codecs/run-reader.ts';
import { rank } from '../../src/domain/ranking.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import {
  changeProtocol,
  digestOfProtocol,
  documentText,
  explainDifferences,
  findProtocol,
  judgedOutsideCorpus,
  judgedWithDuplicates,
  measuresOf,
  nameOf,
  parseChange,
  PROTOCOLS,
  scoreRun,
  SETTINGS,
  type ProtocolSettings,
} from '../../src/protocols/index.ts';
import { toQrels, toRun } from '../metrics/golden.ts';

const fields = Object.keys(SETTINGS) as (keyof ProtocolSettings)[];
const trec = findProtocol('trec');

describe('the list of protocols', () => {
  it('has the nine that the issue names, each declared in a file of its own', () => {
    const ids = PROTOCOLS.map((protocol) => protocol.id);
    expect([...ids].sort()).toEqual(
      [
        'beir',
        'coir',
        'core-bench',
        'coreb-mteb',
        'coreb-paper',
        'coreb-runner',
        'execretrieval',
        'mteb',
        'trec',
      ].sort(),
    );
    const files = readdirSync(new URL('../../src/protocols', import.meta.url));
    for (const id of ids) expect(files).toContain(`${id}.ts`);
  });

  it.each(PROTOCOLS.map((protocol) => [protocol.id, protocol] as const))('%s is whole', (_, protocol) => {
    for (const field of fields) {
      const value = protocol.settings[field];
      expect(value, field).toBeDefined();
      if (typeof value === 'number') expect(SETTINGS[field].choices).toHaveProperty('number');
      else if (typeof value === 'string') expect(Object.keys(SETTINGS[field].choices)).toContain(value);
    }
    expect(measuresOf(protocol).length).toBeGreaterThan(0);
    for (const { field } of protocol.reasons) expect(fields).toContain(field);
  });

  it('names near ones for an unknown id', () => {
    expect(() => findProtocol('coreb')).toThrow(/coreb-paper/u);
    expect(() => findProtocol('xyz')).toThrow(AppError);
  });
});

describe('digests and differences', () => {
  it('the digest is of the settings alone', async () => {
    const digests = await Promise.all(PROTOCOLS.map((protocol) => digestOfProtocol(protocol)));
    expect(new Set(digests).size).toBe(PROTOCOLS.length);
    expect(await digestOfProtocol({ ...trec, id: 'other', about: 'x' })).toBe(await digestOfProtocol(trec));
    const changed = changeProtocol(trec, { relevanceLevel: 2 });
    expect(await digestOfProtocol(changed)).not.toBe(await digestOfProtocol(trec));
    expect(await digestOfProtocol(changeProtocol(changed, { relevanceLevel: 1 }))).toBe(
      await digestOfProtocol(trec),
    );
  });

  it('explains each difference with both reasons', () => {
    expect(explainDifferences(trec, trec)).toEqual([]);
    const differences = explainDifferences(findProtocol('coreb-paper'), findProtocol('coreb-mteb'));
    expect(differences.map((difference) => difference.field)).toEqual([
      'documentTemplate',
      'similarity',
      'depth',
      'exclusions',
      'relevanceLevel',
      'gradesBelowLevel',
      'queriesWithoutResults',
      'overall',
    ]);
    const zeroed = differences.find((difference) => difference.field === 'gradesBelowLevel');
    expect(zeroed?.words).toContain(
      'coreb-paper takes "zeroed" (nothing, in the ranking and in the ideal), because A.6',
    );
    expect(zeroed?.words).toContain('coreb-mteb takes "kept"');
  });

  it('a flipped setting is named, with its origin', () => {
    const changed = changeProtocol(trec, parseChange('scorePrecision=float32'));
    expect(nameOf(changed)).toBe('trec (scorePrecision=float32)');
    expect(explainDifferences(trec, changed).map((difference) => difference.words)[0]).toContain(
      'changed by hand',
    );
  });

  it('flipping one field at a time leads from any protocol to any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PROTOCOLS), fc.constantFrom(...PROTOCOLS), async (a, b) => {
        let way = a;
        for (const { field } of explainDifferences(a, b))
          way = changeProtocol(way, { [field]: b.settings[field] });
        expect(await digestOfProtocol(way)).toBe(await digestOfProtocol(b));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['relevanceLevel=2', { relevanceLevel: 2 }],
    ['depth=all', { depth: 'all' }],
    ['depth=100', { depth: 100 }],
    ['identicalIds=dropped', { identicalIds: 'dropped' }],
  ])('reads %s', (text, expected) => {
    expect(parseChange(text)).toEqual(expected);
  });

  it.each([
    'relevanceLevel',
    'relevanceLevel=0',
    'relevanceLevel=x',
    'depth=-1',
    'tieRule=random',
    'nosuch=1',
    '__proto__=1',
    'measures=AP',
  ])('refuses %s', (text) => {
    expect(() => parseChange(text)).toThrow(AppError);
  });
});

describe('what settings do', () => {
  it('identical ids stay unless the protocol drops them', () => {
    const ids = Array.from({ length: 10 }, (_, i) => String(i));
    const qrels = new Map([['0', new Map(ids.map((id) => [id, 1]))]]);
    const run = new Map([
      [
        '0',
        rank(
          '0',
          ids,
          ids.map(() => 1),
        ),
      ],
    ]);
    const measures = ['P@10', 'R@10', 'AP', 'nDCG@10'];
    expect(scoreRun(trec, { run, qrels, measures }).mean.values).toEqual([1, 1, 1, 1]);
    const dropped = scoreRun(changeProtocol(trec, { identicalIds: 'dropped' }), { run, qrels, measures }).mean
      .values;
    expect(dropped.slice(0, 3)).toEqual([0.9, 0.9, 0.9]);
    expect(dropped[3]).toBeCloseTo(0.93638, 5);
    expect(scoreRun(findProtocol('beir'), { run, qrels, measures }).mean.values[0]).toBe(0.9);
    expect(scoreRun(findProtocol('mteb'), { run, qrels, measures }).mean.values[0]).toBe(1);
  });

  it('verdicts other than pass stay in the denominator, with an upper value by setting', () => {
    const qrels = toQrels({ q1: { a: 1 }, q2: { b: 1 }, q3: { c: 1 } });
    const run = toRun({ q1: { a: 1 }, q2: { b: 1 }, q3: { c: 1 } });
    const verdicts = new Map<string, ReadonlyMap<string, Verdict>>([
      ['q1', new Map([['a', 'pass']])],
      ['q2', new Map([['b', 'unsupported']])],
      ['q3', new Map([['c', 'timeout']])],
    ]);
    const protocol = findProtocol('execretrieval');
    const input = { run, qrels, verdicts, measures: ['exec@1'] };
    expect(scoreRun(protocol, input).mean.values).toEqual([1 / 3]);
    expect(
      scoreRun(changeProtocol(protocol, { passing: 'verdict-pass-or-unsupported' }), input).mean.values,
    ).toEqual([2 / 3]);
  });

  it('says so when run and qrels have nothing in common', () => {
    const qrels = toQrels({ 'q.1': { a: 1 } });
    expect(() => scoreRun(trec, { run: toRun({ q: { a: 1 } }), qrels })).toThrow(
      /no query in common. The run has "q"; the qrels have "q.1"/u,
    );
    const scoring = scoreRun(trec, { run: toRun({ 'q.1': { A: 1 } }), qrels });
    expect(scoring.notes.at(-1)?.words).toContain('like "A"; the qrels like "a"');
    expect(() => scoreRun(trec, { run: toRun({ q: { a: 1 } }), qrels: new Map() })).toThrow(/no judgement/u);
  });

  it('counts what a reader should know', () => {
    const qrels = toQrels({ q1: { a: 1 }, q2: { b: 0 }, q3: { c: 1 } });
    const scoring = scoreRun(trec, { run: toRun({ q1: { a: 1 }, q2: { b: 1 }, q9: { z: 1 } }), qrels });
    expect(scoring.notes.map((note) => note.words)).toEqual([
      '1 query without results: counted as 0',
      '1 query without a relevant document: counted as 0',
      '1 query of the run not judged: ignored',
    ]);
  });

  it('a judged document that nobody has stays in the denominator', () => {
    const scoring = scoreRun(trec, {
      run: toRun({ q: { a: 1, b: 0.5 } }),
      qrels: toQrels({ q: { a: 1, ghost: 1 } }),
      measures: ['R@10', 'nDCG@10'],
    });
    expect(scoring.mean.values[0]).toBe(0.5);
    expect(scoring.mean.values[1]).toBeCloseTo(0.613147, 6);
  });

  it('judged documents outside the corpus are counted', () => {
    const qrels = toQrels({ q: { a: 1, ghost: 1 } });
    expect(judgedOutsideCorpus(qrels, new Set(['a', 'b']))?.words).toContain(
      '1 of 2 judged documents are not in the corpus ("ghost")',
    );
    expect(judgedOutsideCorpus(qrels, new Set(['a', 'ghost']))).toBeNull();
  });

  it('judged documents with copies under other ids are counted', () => {
    const qrels = toQrels({ q: { cA: 1 }, p: { x: 1 } });
    expect(judgedWithDuplicates(qrels, [['cA', 'cB'], ['x']])?.words).toBe(
      '1 query: judged document has 1 exact duplicate',
    );
    expect(judgedWithDuplicates(toQrels({ q: { cA: 1, cB: 1 } }), [['cA', 'cB']])).toBeNull();
  });

  it('a document named twice counts once when the first is kept', async () => {
    const bytes = new TextEncoder().encode('q Q0 A 1 3 t\nq Q0 A 2 2 t\nq Q0 X 3 1 t\n');
    const source = {
      name: 'run',
      async *stream() {
        yield bytes;
      },
    };
    const { run } = await readRun(source, { duplicates: 'first-kept' });
    const { mean } = scoreRun(trec, {
      run,
      qrels: toQrels({ q: { A: 1, B: 1 } }),
      measures: ['nDCG@3', 'R@3'],
    });
    expect(mean.values[0]).toBeCloseTo(0.61315, 5);
    expect(mean.values[1]).toBe(0.5);
  });

  it('equal texts under two ids: the id decides, here against the judged one', () => {
    const scoring = scoreRun(trec, {
      run: toRun({ q: { cA: 0.5, cB: 0.5 } }),
      qrels: toQrels({ q: { cA: 1 } }),
      measures: ['RR', 'nDCG'],
    });
    expect(scoring.mean.values[0]).toBe(0.5);
    expect(scoring.mean.values[1]).toBeCloseTo(0.63093, 5);
  });

  it('the text of a document is untouched, or joined to its title as in MTEB', () => {
    const code = { title: 'Two Sum', text: '  def f(): pass\n' };
    expect(documentText(code, 'text')).toBe('  def f(): pass\n');
    expect(documentText(code, 'title-space-text-stripped')).toBe('Two Sum   def f(): pass');
    expect(documentText({ text: '  def f(): pass\n' }, 'title-space-text-stripped')).toBe('def f(): pass');
    expect(documentText({ title: '', text: '\u001cx\u0085' }, 'title-space-text-stripped')).toBe('x');
    expect(documentText({ text: '\ufeffx' }, 'title-space-text-stripped')).toBe('\ufeffx');
  });

  it('keys never glue: data sets and ids that look alike stay apart', () => {
    const awkward = ['x_1', 'a:b', 'b:c', 'a/b', 'a#b', 'a|b', 'a b', '::', 'x'.repeat(300)];
    const run = toRun(
      Object.fromEntries(awkward.map((id, i) => [id, { [awkward[(i + 1) % awkward.length] as string]: 1 }])),
    );
    const qrels = toQrels(
      Object.fromEntries(
        awkward.map((id, i) => [id, { [awkward[(i + 1) % awkward.length] as string]: i % 2 }]),
      ),
    );
    const { evaluation } = scoreRun(trec, { run, qrels, measures: ['P@1'] });
    awkward.forEach((id, i) => expect(evaluation.values[0]?.[evaluation.queryIds.indexOf(id)]).toBe(i % 2));
  });
});
