import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readModelDefinition } from '../../src/models/from-config-files.ts';
import { ALL_MINILM_L6_V2 } from '../../src/models/minilm.ts';

const SOURCE = { kind: 'folder', name: 'mine' } as const;
const bert = {
  model_type: 'bert',
  hidden_size: 384,
  num_hidden_layers: 6,
  vocab_size: 30_522,
  max_position_embeddings: 512,
};

function read(
  files: Record<string, unknown>,
  paths: readonly string[] = ['onnx/model.onnx', 'onnx/model_quantized.onnx'],
) {
  const texts = new Map(
    Object.entries(files).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return readModelDefinition(SOURCE, [...texts.keys(), ...paths], texts);
}

describe('a model of the user', () => {
  it('is read from the files of sentence-transformers', () => {
    const { definition, origins, doubts } = read({
      'config.json': bert,
      'tokenizer_config.json': { model_max_length: 512, padding_side: 'right' },
      'modules.json': [
        { type: 'sentence_transformers.models.Transformer' },
        { type: 'sentence_transformers.models.Pooling' },
        { type: 'sentence_transformers.models.Normalize' },
      ],
      '1_Pooling/config.json': {
        word_embedding_dimension: 384,
        pooling_mode_cls_token: true,
        pooling_mode_mean_tokens: false,
      },
      'config_sentence_transformers.json': {
        prompts: { query: 'q: ', document: 'd: ' },
        similarity_fn_name: 'cosine',
      },
      'sentence_bert_config.json': { max_seq_length: 256 },
    });
    expect(definition).toMatchObject({
      id: 'mine',
      pooling: 'cls',
      padding: 'right',
      dimensions: 384,
      maxTokens: 256,
      normalised: true,
      similarity: 'cosine',
      prompts: { default: { query: 'q: ', document: 'd: ' } },
      defaultDtype: 'fp32',
      dtypes: { fp32: {}, q8: { dependsOnBatch: true } },
    });
    expect(definition.parameters).toBeGreaterThan(20e6);
    expect(origins.maxTokens).toBe('sentence_bert_config.json');
    expect(doubts).toEqual([]);
  });

  it('that reads the last token is padded on the left; dot products stay as they are', () => {
    const { definition } = read({
      'config.json': bert,
      'modules.json': [
        { type: 'sentence_transformers.models.Transformer' },
        { type: 'sentence_transformers.models.Pooling' },
      ],
      '1_Pooling/config.json': { pooling_mode_lasttoken: true },
      'config_sentence_transformers.json': { similarity_fn_name: 'dot' },
    });
    expect(definition).toMatchObject({
      pooling: 'last',
      padding: 'left',
      similarity: 'dot',
      normalised: false,
      maxTokens: 512,
    });
  });

  it('that says little is assumed to be usual, and the doubts are listed', () => {
    const { definition, origins, doubts } = read({
      'config.json': { hidden_size: 64 },
      'tokenizer_config.json': { model_max_length: 1e30 },
    });
    expect(definition).toMatchObject({
      pooling: 'mean',
      maxTokens: 512,
      prompts: { default: { query: '', document: '' } },
    });
    expect(origins.pooling).toMatch(/assumed/);
    expect(doubts).toHaveLength(2);
  });

  it('that is broken is refused with its file', () => {
    expect(() => read({})).toThrow('model mine: config.json is missing');
    expect(() => read({ 'config.json': '{' })).toThrow(/config\.json is not JSON/);
    expect(() => read({ 'config.json': '[]' })).toThrow(/config\.json is not a JSON object/);
    expect(() => read({ 'config.json': bert, 'modules.json': '{}' })).toThrow(/modules\.json is not a list/);
    expect(() => read({ 'config.json': bert }, ['pytorch_model.bin'])).toThrow(/no \.onnx file at all/);
    expect(() => read({ 'config.json': bert }, ['model.onnx'])).toThrow(/found: model\.onnx/);
    expect(() => read({ 'config.json': {} })).toThrow(/names no hidden_size/);
  });

  it('gives the bundled model what we declare for it', () => {
    const folder = path.join(
      path.dirname(fileURLToPath(import.meta.url)),
      '../../public/models/all-MiniLM-L6-v2',
    );
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.split(path.sep).join('/'),
    );
    const texts = new Map(
      ['config.json', 'tokenizer_config.json'].map((name) => [
        name,
        readFileSync(path.join(folder, name), 'utf8'),
      ]),
    );
    const { definition } = readModelDefinition(SOURCE, paths, texts);
    const { pooling, padding, dimensions, maxTokens, normalised } = ALL_MINILM_L6_V2;
    expect(definition).toMatchObject({
      pooling,
      padding,
      dimensions,
      maxTokens,
      normalised,
      defaultDtype: 'q8',
    });
    expect(Math.abs(definition.parameters / ALL_MINILM_L6_V2.parameters - 1)).toBeLessThan(0.1);
  });
});
