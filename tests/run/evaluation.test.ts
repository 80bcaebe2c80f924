import { describe, expect, it } from 'vitest';
import { BROKEN_TEST } from '../../src/contracts/judge.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { Evaluation, runIdOf } from '../../src/run/evaluation.ts';
import { OWN_PROTOCOL, type RunRequest, type RunState } from '../../src/run/run-state.ts';
import { printGradedRecord, readGradedRecord, type GradedRecord } from '../../src/share/graded-record.ts';
import { printRecord, readRecord } from '../../src/share/record.ts';
import { StandInServices } from './stand-in-services.ts';

const REQUEST: RunRequest = {
  benchmarkId: 'small',
  modelId: 'all-MiniLM-L6-v2',
  dtype: 'q8',
  protocolId: 'execretrieval',
  device: 'auto',
  depth: 10,
  seed: 20_260_510,
};
const REF = { kind: 'declared', id: 'small' } as const;
const start = async (services: StandInServices, request = REQUEST) =>
  new Evaluation(await runIdOf(request, REF), request, REF, services);

describe('an evaluation', () => {
  it('ends with a record that the border accepts, its phases done and its hold released', async () => {
    const services = new StandInServices();
    const evaluation = await start(services);
    const seen: RunState[] = [];
    evaluation.subscribe((state) => seen.push(state));
    await evaluation.resume();
    expect(evaluation.state.status.kind).toBe('complete');
    expect(evaluation.state.phases.map(({ name, status }) => [name, status])).toEqual(
      ['load', 'encode documents', 'encode queries', 'search', 'judge', 'score'].map((name) => [
        name,
        'done',
      ]),
    );
    const record = await readRecord(printRecord(evaluation.record as never));
    const first = record.report.cells.find(({ measure, k }) => measure === 'exec' && k === 1);
    expect(first?.value).toBeCloseTo(2 / 3, 12);
    expect(record.report.nearCloneMisses).toMatchObject({ count: 1, n: 1 });
    expect(record.warnings.map(({ message }) => message)).toContain('1 documents cut at 256 tokens');
    expect(
      record.failures.find(({ queryId, documentId }) => queryId === 'q1' && documentId === 'q1_wrong')
        ?.message,
    ).toBe('assert f(1) == 2');
    expect(
      seen.some(({ partialMetrics }) =>
        partialMetrics.some(({ name, queries }) => name === 'exec@1' && queries < 3),
      ),
    ).toBe(true);
    expect(services.held).toBe(0);
  });

  it('goes on after a pause and after a closed page without executing anything twice', async () => {
    const services = new StandInServices();
    const evaluation = await start(services);
    services.beforeSuite = (index) => {
      if (index === 7) evaluation.pause();
    };
    await evaluation.resume();
    expect(evaluation.state.status.kind).toBe('paused');
    expect(services.executed).toHaveLength(7);
    services.beforeSuite = () => undefined;
    // A new page knows only what was stored.
    const again = await start(services);
    expect(again.state.id).toBe(evaluation.state.id);
    await again.resume();
    expect(again.state.status.kind).toBe('complete');
    expect(new Set(services.executed).size).toBe(services.executed.length);
    expect(services.executed).toHaveLength(18);
  });

  it('says what failed, and can be started again', async () => {
    const services = new StandInServices();
    const working = services.openEncoder;
    services.openEncoder = async () => {
      throw new AppError('model', 'model-file-missing', 'tokenizer.json is missing from the model folder.');
    };
    const evaluation = await start(services);
    await evaluation.resume();
    expect(evaluation.state.status).toMatchObject({
      kind: 'failed',
      error: { code: 'model-file-missing', stage: 'model' },
    });
    expect(evaluation.state.phases.find(({ name }) => name === 'encode documents')?.status).toBe('failed');
    services.openEncoder = working;
    await evaluation.resume();
    expect(evaluation.state.status.kind).toBe('complete');
  });

  it('names query and test when a test does not parse', async () => {
    const services = new StandInServices();
    services.messageOf = (queryId) =>
      queryId === 'q2' ? `${BROKEN_TEST}SyntaxError: '(' was never closed` : 'assert f(1) == 2';
    const evaluation = await start(services);
    await evaluation.resume();
    expect(evaluation.state.status).toMatchObject({ kind: 'failed', error: { code: 'test-does-not-parse' } });
    const { status } = evaluation.state;
    expect(status.kind === 'failed' && status.error.message).toMatch(
      /queries\.jsonl, query 2 \("q2"\), test 1 .*'\(' was never closed: assert True/,
    );
    expect([...services.entries.keys()].some((key) => key.startsWith('records'))).toBe(false);
  });

  it('scores a graded benchmark by its own protocol and executes nothing', async () => {
    const services = new StandInServices();
    const { execution: _execution, ...graded } = services.benchmark;
    services.benchmark = { ...graded, protocolId: 'beir' };
    const evaluation = await start(services, { ...REQUEST, protocolId: OWN_PROTOCOL });
    await evaluation.resume();
    expect(evaluation.state.status.kind).toBe('complete');
    expect(evaluation.state.phases.find(({ name }) => name === 'judge')?.status).toBe('skipped');
    expect(services.executed).toEqual([]);
    const record = await readGradedRecord(printGradedRecord(evaluation.record as GradedRecord));
    expect(record.protocol.id).toBe('beir');
    // q1's relevant document stands second, the others' first.
    const nDCG = record.report.cells.find(({ measure }) => measure === 'nDCG@10');
    expect(nDCG?.value).toBeCloseTo((1 / Math.log2(3) + 2) / 3, 12);
    expect(record.report.slices.map(({ field, label, cells }) => [field, label, cells[0]?.n])).toEqual([
      ['language', 'go', 2],
      ['language', 'python', 1],
    ]);
    expect(record.report.perQuery[0]).toMatchObject({
      queryId: 'q1',
      positives: 1,
      positivesInTop100: 1,
      counted: true,
    });
  });

  it('refuses to execute a benchmark without tests', async () => {
    const services = new StandInServices();
    const { execution: _execution, ...graded } = services.benchmark;
    services.benchmark = graded;
    const evaluation = await start(services);
    await evaluation.resume();
    expect(evaluation.state.status).toMatchObject({ kind: 'failed', error: { code: 'not-executable' } });
  });

  it('is given up by a cancel, while it runs and while it is paused', async () => {
    const services = new StandInServices();
    const evaluation = await start(services);
    services.beforeSuite = () => evaluation.cancel();
    await evaluation.resume();
    expect(evaluation.state.status.kind).toBe('cancelled');
    const other = await start(services, { ...REQUEST, depth: 20 });
    other.cancel();
    expect(other.state.status.kind).toBe('cancelled');
  });

  it('leaves what another tab wrote down about the same run alone when that tab holds it', async () => {
    const services = new StandInServices();
    services.hold = () => Promise.reject(new AppError('browser', 'run-elsewhere', 'In another tab.'));
    const evaluation = await start(services);
    await evaluation.resume();
    expect(evaluation.state.status).toMatchObject({ kind: 'failed', error: { code: 'run-elsewhere' } });
    expect(services.entries.has(`run-states ${evaluation.state.id}`)).toBe(false);
  });

  it('is one run for one request', async () => {
    expect(await runIdOf(REQUEST, REF)).toBe(await runIdOf({ ...REQUEST }, { ...REF }));
    expect(await runIdOf(REQUEST, REF)).not.toBe(await runIdOf({ ...REQUEST, seed: 1 }, REF));
  });
});
