import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import { METRICS, parseMeasure, parseMeasures } from '../../src/metrics/index.ts';

const refusal = (text: string): AppError => {
  try {
    parseMeasure(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`"${text}" was accepted`);
};

describe('the names of measures', () => {
  it.each([
    ['nDCG@10', 'nDCG@10'],
    ['nDCG', 'nDCG'],
    ["nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"],
    ["nDCG(dcg='log2')@10", 'nDCG@10'],
    ['P(rel=2)@10', 'P(rel=2)@10'],
    ['P(rel=1)@10', 'P@10'],
    ['RBP', 'RBP'],
    ['RBP(p=0.8)', 'RBP'],
    ['RBP(rel=2,p=0.5)@20', 'RBP(p=0.5,rel=2)@20'],
    ['ERR(max=3)@20', 'ERR(max=3)@20'],
    ["execution_precision(over='returned')@3", "execution_precision(over='returned')@3"],
    ['nAUC', 'nAUC'],
    ["nAUC(by='diff1',of='P(rel=2)@10')", "nAUC(of='P(rel=2)@10',by='diff1')"],
    [`nAUC(of="nDCG(dcg='exp-log2')@10")`, `nAUC(of="nDCG(dcg='exp-log2')@10")`],
  ])('%s prints as %s', (text, printed) => {
    expect(parseMeasure(text).name).toBe(printed);
    expect(parseMeasure(printed).name).toBe(printed);
  });

  it('takes the level of the evaluation where a name gives none', () => {
    expect(parseMeasure('P@10', { relevanceLevel: 2 })).toMatchObject({
      name: 'P(rel=2)@10',
      level: 2,
      cutoff: 10,
    });
    expect(parseMeasure('P(rel=1)@10', { relevanceLevel: 2 }).name).toBe('P@10');
    expect(parseMeasure('nDCG@10', { relevanceLevel: 2 }).name).toBe('nDCG@10');
    expect(parseMeasure("nAUC(of='AP')", { relevanceLevel: 3 }).name).toBe("nAUC(of='AP(rel=3)')");
  });

  it('reads lists split by commas and blanks outside parentheses', () => {
    const names = parseMeasures(`nDCG@10, RBP(p=0.5,rel=2)@20 nAUC(of='P(rel=2)@5',by='std'),nDCG@10`).map(
      (measure) => measure.name,
    );
    expect(names).toEqual(['nDCG@10', 'RBP(p=0.5,rel=2)@20', "nAUC(of='P(rel=2)@5',by='std')"]);
  });

  it('names near ones for an unknown name', () => {
    expect(refusal('NDGC@10').message).toContain('nDCG');
    expect(refusal('MAP@10').message).toMatch(/Near ones: AP/u);
    expect(refusal('recip_rank').message).toContain('RR');
    expect(refusal('Recall@5').message).toMatch(/Near ones: R\b/u);
    expect(refusal('zzzzzzzz').message).toContain('Known: nDCG, AP');
    expect(refusal('zzzzzzzz').code).toBe('unknown-measure');
  });

  it.each([
    'P',
    'P@0',
    'P@010',
    'P@-1',
    'P@1.5',
    'P@99999999999',
    'Rprec@10',
    'P(rel=0)@10',
    'P(rel=1.5)@10',
    'P(rel=x)@10',
    'P(level=2)@10',
    'P(rel=2,rel=2)@10',
    'nDCG(rel=2)@10',
    "nDCG(dcg='ln')@10",
    'RBP(p=1.5)',
    'ERR(max=2.5)',
    "nAUC(of='nAUC')",
    'judged(rel=1)@10',
    'P (rel=2)@10',
    '@10',
    '',
    'P(rel=2',
  ])('refuses %j', (text) => {
    expect(refusal(text).code).toBe('bad-measure');
    expect(refusal(text).stage).toBe('score');
  });

  it('refuses an empty list', () => {
    expect(() => parseMeasures(' , ')).toThrow(AppError);
  });

  it('round-trips every metric with any parameters', () => {
    const anyMeasure = fc.constantFrom(...METRICS).chain((metric) =>
      fc
        .tuple(
          metric.cutoff === 'none'
            ? fc.constant('')
            : fc.oneof(
                { weight: metric.cutoff === 'optional' ? 1 : 0, arbitrary: fc.constant('') },
                { weight: 3, arbitrary: fc.integer({ min: 1, max: 5_000 }).map((k) => `@${k}`) },
              ),
          fc.tuple(
            ...metric.parameters.map((parameter) => {
              const value =
                parameter.kind === 'level'
                  ? fc.integer({ min: 1, max: 9 }).map(String)
                  : parameter.kind === 'number'
                    ? parameter.whole
                      ? fc.integer({ min: parameter.from, max: parameter.to }).map(String)
                      : fc.integer({ min: 0, max: 100 }).map((percent) => String(percent / 100))
                    : parameter.kind === 'choice'
                      ? fc.constantFrom(...parameter.choices).map((choice) => `'${choice}'`)
                      : fc.constantFrom("'AP@7'", "'P(rel=3)@2'");
              return fc.option(
                value.map((text) => `${parameter.name}=${text}`),
                { nil: null },
              );
            }),
          ),
        )
        .map(([cutoff, parameters]) => {
          const inner = parameters.filter((text) => text !== null).join(',');
          return `${metric.name}${inner === '' ? '' : `(${inner})`}${cutoff}`;
        }),
    );
    fc.assert(
      fc.property(anyMeasure, (text) => {
        const measure = parseMeasure(text);
        const again = parseMeasure(measure.name);
        expect(again).toEqual(measure);
        expect(again.name.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
