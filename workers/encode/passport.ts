import type { ErrorEstimate, NumericsPassport } from '../../src/contracts/encode.ts';
import { estimateError, type VectorRows } from './error-estimate.ts';
import { fewProbes, type Probes } from './probes.ts';
import { findFaults, type NamedFault } from './vector-faults.ts';

/**
 * The largest device error that is accepted, as a change of a margin between two documents: five times the median gap of
 * 0.002 between a canonical and its bug in ExecRetrieval. float32 backends differ by 1e-6; half precision by some 1e-3.
 */
export const DEVICE_ERROR_LIMIT = 0.01;

/**
 * Returns the passport of vectors that a device made of the probes, against the stored vectors: device error where
 * the same weight file's vectors are stored, quantisation error against the original weights. With `reducedBecause`
 * the measured vectors are of {@link fewProbes}. A weight file without stored vectors is held to the original's alone.
 */
export function checkAgainstReferences(
  measured: VectorRows,
  all: Probes,
  reducedBecause?: string,
): NumericsPassport {
  const probes = reducedBecause === undefined ? all : fewProbes(all);
  const { fp32, file, few } = probes;
  const right = file?.vectors ?? fp32;
  const faults = findFaults(
    measured,
    right,
    probes.normalised,
    file && { rows: few, vectors: file.otherPoolings },
  );
  const comparable = !faults.some(({ fault }) => fault === 'wrong-dimensions' || fault === 'overflowed');
  const deviceError =
    comparable && probes.file ? estimateError(measured, right, probes.normalised) : undefined;
  // The file's own error does not depend on the device: it is taken from the stored vectors where there are any.
  const quantisationError = all.file
    ? estimateError(all.file.vectors, all.fp32, all.normalised)
    : comparable
      ? estimateError(measured, fp32, probes.normalised)
      : undefined;
  return passport('stored reference', measured.rows, faults, deviceError, quantisationError, reducedBecause);
}

/**
 * Returns the passport of a model without stored vectors, from vectors of the same texts made in another way (one text a
 * batch, run again, or on another backend): what differs between them is device error. It cannot tell whether both are wrong.
 */
export function checkAgainstItself(
  measured: VectorRows,
  others: readonly VectorRows[],
  normalised: boolean,
  reducedBecause?: string,
): NumericsPassport {
  const faults = others.flatMap((other) => findFaults(measured, other, normalised));
  const comparable = !faults.some(({ fault }) => fault === 'wrong-dimensions' || fault === 'overflowed');
  const errors = comparable ? others.map((other) => estimateError(measured, other, normalised)) : [];
  const worst = errors.reduce<ErrorEstimate | undefined>(
    (a, b) => (a && a.largestMarginChange >= b.largestMarginChange ? a : b),
    undefined,
  );
  return passport('own repetition', measured.rows, faults, worst, undefined, reducedBecause);
}

/** The passport of an encoder whose check was skipped on request. */
export const UNCHECKED: NumericsPassport = {
  verdict: 'unchecked',
  against: 'nothing',
  probes: 0,
  limit: DEVICE_ERROR_LIMIT,
  faults: [],
};

function passport(
  against: NumericsPassport['against'],
  probes: number,
  found: readonly NamedFault[],
  deviceError: ErrorEstimate | undefined,
  quantisationError: ErrorEstimate | undefined,
  reducedBecause: string | undefined,
): NumericsPassport {
  const faults = [...found];
  if (faults.length === 0 && deviceError && !(deviceError.largestMarginChange <= DEVICE_ERROR_LIMIT))
    faults.push({
      fault: 'too-far',
      message: `two documents' scores can change places by ${deviceError.largestMarginChange.toPrecision(3)}; accepted is ${DEVICE_ERROR_LIMIT}`,
    });
  return {
    verdict: faults.length === 0 ? 'right' : 'refused',
    against,
    probes,
    limit: DEVICE_ERROR_LIMIT,
    faults,
    ...(deviceError && { deviceError }),
    ...(quantisationError && { quantisationError }),
    ...(reducedBecause !== undefined && { reducedBecause }),
  };
}
