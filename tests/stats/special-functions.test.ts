import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaQuantile, incompleteBeta, logBeta, logGamma } from '../../src/stats/beta-function.ts';
import { chiSquare1UpperTail, normalCdf, normalQuantile, normalUpperTail } from '../../src/stats/normal.ts';
import { studentQuantile, studentTwoSided, studentUpperTail } from '../../src/stats/student-t.ts';
import { golden, relativeError } from './golden.ts';

describe('normal distribution', () => {
  it('agrees with scipy in the middle and in both tails', () => {
    for (const [x, sf] of golden.special.normalSf)
      expect(relativeError(normalUpperTail(x), sf), `sf(${x})`).toBeLessThanOrEqual(1e-13);
    for (const [x, sf] of golden.special.chi2Sf1)
      expect(relativeError(chiSquare1UpperTail(x), sf), `chi2(${x})`).toBeLessThanOrEqual(1e-13);
    for (const [p, x] of golden.special.normalQuantile)
      expect(relativeError(normalQuantile(p), x), `ppf(${p})`).toBeLessThanOrEqual(1e-15);
  });

  it('agrees with scipy 1.17.1 on either side of every switch of formula', () => {
    const sf: [number, number][] = SCIPY_NORMAL_SF;
    for (const [x, value] of sf)
      expect(relativeError(normalUpperTail(x), value), `sf(${x})`).toBeLessThanOrEqual(1e-13);
    const ppf: [number, number][] = SCIPY_NORMAL_PPF;
    for (const [p, value] of ppf)
      expect(relativeError(normalQuantile(p), value), `ppf(${p})`).toBeLessThanOrEqual(5e-15);
  });

  it('has inverse functions, and defined ends', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 0.5, noNaN: true }), (p) => {
        expect(relativeError(normalCdf(normalQuantile(p)), p)).toBeLessThanOrEqual(1e-11);
      }),
    );
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(-0.1)]).toEqual([-Infinity, Infinity, NaN]);
    expect([normalUpperTail(Infinity), normalUpperTail(-Infinity), normalUpperTail(NaN)]).toEqual([
      0,
      1,
      NaN,
    ]);
  });
});

describe('beta and t distributions', () => {
  it("agree with scipy's t tail", () => {
    for (const [t, degrees, sf] of golden.special.tSf)
      expect(relativeError(studentUpperTail(t, degrees), sf), `t ${t}, df ${degrees}`).toBeLessThanOrEqual(
        1e-12,
      );
  });

  it('agree with scipy 1.17.1 on uneven and large parameters', () => {
    for (const [x, a, b, value] of SCIPY_BETAINC)
      expect(relativeError(incompleteBeta(x, a, b), value), `I_${x}(${a}, ${b})`).toBeLessThanOrEqual(1e-11);
    for (const [x, value] of SCIPY_GAMMALN)
      expect(relativeError(logGamma(x), value), `logGamma(${x})`).toBeLessThanOrEqual(5e-14);
  });

  it('is the arcsine law at one half, and symmetric', () => {
    expect(incompleteBeta(0.3, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.3)), 14);
    expect(logBeta(2, 3)).toBeCloseTo(Math.log(1 / 12), 14);
    const parameter = fc.double({ min: 0.05, max: 500, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), parameter, parameter, (x, a, b) => {
        expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 10);
      }),
    );
  });

  it('have inverse functions', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 500 }),
        (p, degrees) => {
          expect(1 - studentUpperTail(studentQuantile(p, degrees), degrees)).toBeCloseTo(p, 10);
          expect(incompleteBeta(betaQuantile(p, degrees, 3.5), degrees, 3.5)).toBeCloseTo(p, 10);
        },
      ),
      { numRuns: 30 },
    );
    expect(studentTwoSided(12.706204736174698, 1)).toBeCloseTo(0.05, 12);
  });

  it('refuse what they are not defined for', () => {
    expect(() => logGamma(0)).toThrow(/positive/);
    expect(() => incompleteBeta(0.5, 0, 1)).toThrow(/a, b > 0/);
    expect(betaQuantile(1.5, 1, 1)).toBeNaN();
  });
});

// Computed by running scipy.stats.norm.sf, norm.ppf, scipy.special.betainc and gammaln, scipy 1.17.1.
const SCIPY_NORMAL_SF: [number, number][] = [
  [-7, 0.9999999999987201],
  [-5.7, 0.9999999940096286],
  [-0.68, 0.7517477695464294],
  [-0.6, 0.7257468822499265],
  [0.1, 0.460172162722971],
  [0.67448975, 0.2500000000623102],
  [0.674489751, 0.24999999974453357],
  [2.5, 0.006209665325776132],
  [5.656, 7.747073323749044e-9],
  [5.657, 7.7020881721776e-9],
  [7.3, 1.4388386381575764e-13],
  [12.2, 1.5541197863895687e-34],
  [25.5, 9.856236518963926e-144],
  [37.5, 4.605353009581954e-308],
];
const SCIPY_NORMAL_PPF: [number, number][] = [
  [1e-300, -37.0470962993612],
  [1e-50, -14.933337534788487],
  [1.3e-11, -6.667611456510741],
  [1.5e-11, -6.646570887477113],
  [1e-5, -4.264890793922825],
  [0.02, -2.053748910631823],
  [0.0749, -1.4402382675279635],
  [0.0751, -1.4388253927525403],
  [0.3, -0.5244005127080409],
  [0.6, 0.2533471031357997],
  [0.924, 1.432502720825812],
  [0.926, 1.446632067158979],
  [0.9999, 3.719016485455709],
];
const SCIPY_BETAINC: [number, number, number, number][] = [
  [0.1, 0.5, 0.5, 0.20483276469913345],
  [0.9, 2, 3, 0.9963],
  [0.001, 0.1, 200, 0.8792913190008217],
  [0.5, 100, 100, 0.4999999999999996],
  [0.33, 311.5, 628.5, 0.46719332862291785],
  [0.999, 50, 0.3, 0.5524049218371451],
  [0.02, 1, 1000, 0.9999999983170327],
  [0.75, 5000, 2000, 0.9999999999945758],
  [0.7, 5000, 2000, 0.004344405808991765],
];
const SCIPY_GAMMALN: [number, number][] = [
  [0.001, 6.907178885383853],
  [0.5, 0.5723649429247],
  [1.5, -0.12078223763524526],
  [3.3, 0.9870985778947343],
  [9.99, 12.779315214350195],
  [10, 12.801827480081469],
  [10.5, 13.940625219403763],
  [469.5, 2416.5515480930267],
  [100000.0, 1051287.7089736569],
];
