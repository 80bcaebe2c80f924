import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findModel, MODELS } from '../../src/models/index.ts';
import {
  choosePrompt,
  downloadMegabytes,
  DTYPE_SUFFIXES,
  weightsPath,
  type ModelDefinition,
} from '../../src/models/model-definition.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

describe('the catalogue', () => {
  it('has unique ids, the bundled model first, and every family file in its list', () => {
    expect(new Set(MODELS.map(({ id }) => id)).size).toBe(MODELS.length);
    expect(MODELS[0]?.source.kind).toBe('bundled');
    const list = readFileSync(path.join(root, 'src/models/index.ts'), 'utf8');
    for (const file of readdirSync(path.join(root, 'src/models')))
      if (
        ![
          'index.ts',
          'model-definition.ts',
          'lexical',
          'fusion.ts',
          'from-config-files.ts',
          'rerankers',
        ].includes(file)
      )
        expect(list, file).toContain(`'./${file}'`);
  });

  it.each(MODELS.map((model) => [model.id, model] as const))('%s is consistent', (_, model) => {
    expect(Object.keys(model.dtypes)).toContain(model.defaultDtype);
    expect(Object.keys(DTYPE_SUFFIXES)).toEqual(expect.arrayContaining(Object.keys(model.dtypes)));
    expect(model.padding === 'left').toBe(model.pooling === 'last');
    expect(model.similarity === 'dot' || model.normalised).toBe(true);
    const cuts = model.matryoshka ?? [];
    expect([...cuts].sort((a, b) => b - a)).toEqual(cuts);
    for (const cut of cuts) expect(cut).toBeLessThan(model.dimensions);
    for (const value of [model.parameters, model.maxTokens, model.dimensions, model.memoryMegabytes])
      expect(Number.isInteger(value) && value > 0).toBe(true);
    if (model.source.kind === 'hub') expect(model.source.revision).toMatch(/^([0-9a-f]{40}|main)$/);
    expect(model.licence).not.toBe('');
  });

  it('says the truth about bundled files', () => {
    for (const model of MODELS) {
      if (model.source.kind !== 'bundled') continue;
      const files = [
        ...(model.files ?? []),
        ...Object.values(model.dtypes).flatMap((dtype) => dtype.files ?? []),
        ...(model.probes ? [model.probes] : []),
      ];
      for (const { path: name, bytes, sha256 } of files) {
        const file = path.join(root, 'public', model.source.folder, name);
        expect(existsSync(file), name).toBe(true);
        const content = readFileSync(file);
        expect([content.byteLength, createHash('sha256').update(content).digest('hex')], name).toEqual([
          bytes,
          sha256,
        ]);
      }
    }
  });

  it('names known models when one is unknown', () => {
    expect(findModel('all-MiniLM-L6-v2')).toBe(MODELS[0]);
    expect(() => findModel('all-minilm-l6-v2')).toThrow(/no model "all-minilm-l6-v2".*all-MiniLM-L6-v2/);
    expect(() => findModel('zzzzzzzzzzzz')).toThrow(/Known: all-MiniLM-L6-v2, /);
  });
});

describe('choosing a prompt', () => {
  const model: Pick<ModelDefinition, 'prompts'> = {
    prompts: {
      default: { query: 'q: ', document: 'd: ' },
      byTask: { code2code: { query: 'like: ', document: 'd: ' } },
      byBenchmark: { coreb: { c2c: { query: 'coreb: ', document: '' } } },
    },
  };
  it('takes the benchmark, then the task, then the default', () => {
    expect(choosePrompt(model, { side: 'query' })).toEqual({ text: 'q: ', rule: 'default' });
    expect(choosePrompt(model, { side: 'document', task: 'nl2code' })).toEqual({
      text: 'd: ',
      rule: 'default',
    });
    expect(choosePrompt(model, { side: 'query', task: 'code2code' })).toEqual({
      text: 'like: ',
      rule: 'task',
    });
    const place = { task: 'code2code', benchmark: { id: 'coreb', task: 'c2c' } } as const;
    expect(choosePrompt(model, { side: 'query', ...place })).toEqual({ text: 'coreb: ', rule: 'benchmark' });
    expect(choosePrompt(model, { side: 'document', ...place })).toEqual({ text: '', rule: 'benchmark' });
  });
  it('tells the two instruction templates apart by one blank, and CoREB has its own words', () => {
    const query = (id: string, task?: string): string =>
      choosePrompt(findModel(id), {
        side: 'query',
        ...(task !== undefined && { benchmark: { id: 'coreb', task } }),
      }).text;
    expect(query('Qwen3-Embedding-0.6B')).toBe(
      'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    );
    expect(query('F2LLM-v2-0.6B', 'c2c')).toBe(
      'Instruct: Retrieve equivalent code implementations across languages.\nQuery: ',
    );
    const jina = findModel('jina-code-embeddings-0.5b');
    expect(choosePrompt(jina, { side: 'document', task: 'code2nl' }).text).toBe('Candidate comment:\n');
  });
  it('estimates downloads that are not declared', () => {
    expect(downloadMegabytes(findModel('all-MiniLM-L6-v2'), 'q8')).toEqual({
      megabytes: 21.4,
      estimated: false,
    });
    expect(downloadMegabytes(findModel('e5-small-v2'), 'fp32')).toEqual({ megabytes: 133, estimated: true });
  });
  it('spells weight files as transformers.js does', () => {
    expect(weightsPath({ dtypes: { q8: {} } }, 'q8')).toBe('onnx/model_quantized.onnx');
    expect(weightsPath({ dtypes: {} }, 'fp32')).toBe('onnx/model.onnx');
  });
});
