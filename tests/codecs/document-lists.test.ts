import { describe, expect, it } from 'vitest';
import { parseDocumentLists } from '../../src/codecs/document-lists.ts';

const read = (text: string) => {
  const { form, lists } = parseDocumentLists(text, 'F');
  return { form, lists: Object.fromEntries(lists) };
};

describe('document lists', () => {
  it('reads a JSON object, with empty lists kept', () => {
    expect(read('{"q1": ["d1", "d2"], "q2": [], "q3": "d9", "q4": {"d5": 1}}')).toEqual({
      form: 'lists',
      lists: { q1: ['d1', 'd2'], q2: [], q3: ['d9'], q4: ['d5'] },
    });
  });

  it('takes __proto__ for an id like any other, of a query and of a document', () => {
    const { lists } = parseDocumentLists('{"__proto__": ["a"], "q": {"__proto__": 1}, "toString": "b"}', 'F');
    expect([...lists]).toEqual([
      ['__proto__', ['a']],
      ['q', ['__proto__']],
      ['toString', ['b']],
    ]);
    expect([...parseDocumentLists('__proto__ a\n', 'F').lists]).toEqual([['__proto__', ['a']]]);
  });

  it('reads JSON lines; CORE-Bench lists that are empty say nothing', () => {
    expect(
      read(
        '{"query_id":"q1","corpus_ids":["d1"]}\n{"_id":"q2","text":"t","filtered_corpus_id":["d2","d3"]}\n{"id":"q3","filtered_corpus_id":[]}\n{"query_id":"q1","corpus_id":"d4"}\n',
      ),
    ).toEqual({ form: 'lists', lists: { q1: ['d1', 'd4'], q2: ['d2', 'd3'] } });
    expect(read('{"query_id":"q1","corpus_ids":["d1"]}')).toEqual({ form: 'lists', lists: { q1: ['d1'] } });
  });

  it('reads pairs, BEIR tables and TREC qrels', () => {
    expect(read('q1\td1\r\nq1\td 2\nq2\n')).toEqual({ form: 'pairs', lists: { q1: ['d1', 'd 2'], q2: [] } });
    expect(read('query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n').lists).toEqual({ q1: ['d1'] });
    expect(read('q1 0 d1 2\nq1 0 d2 0').lists).toEqual({ q1: ['d1'] });
  });

  it('says which line cannot be read', () => {
    expect(() => read('q1 a b c d')).toThrow(/F, line 1/);
    expect(() => read('{"query_id":"q1","corpus_ids":["d1"]}\n{"text":"no id"}')).toThrow(/F, line 2/);
    expect(() => read('{"q1": 5}')).toThrow(/F should be a JSON object/);
  });
});
