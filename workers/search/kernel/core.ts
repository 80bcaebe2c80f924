// The kernel's fixed part in AssemblyScript: quantising, rescoring, selecting. The register tiles are generated
// (tiles.mjs) and appended. No heap, no globals: every address comes from the caller, who lays out the memory.

// The pair bound that lets 16-bit sums wrap (see docs/decisions/0031): over the 32 dimensions that one 16-bit lane
// adds up between two flushes, document norm <= 250 and query norm <= 131, so |true sum| <= 32750 < 2^15.
const MAX_LANE_NORM_DOCUMENT: f64 = 250.0;
const MAX_LANE_NORM_QUERY: f64 = 131.0;

// Steps outside of this range are worked with in float64, since their inverse is no ordinary float32.
const SMALLEST_PLAIN: f64 = 1e-30;
const LARGEST_PLAIN: f64 = 1e30;

/** Four components from `i` on; beyond the end they count as 0. */
function quadAt(values: usize, i: i32, dimensions: i32): v128 {
  const at = values + ((<usize>i) << 2);
  if (i + 4 <= dimensions) return v128.load(at);
  let x = v128.load32_zero(at);
  if (i + 1 < dimensions) x = f32x4.replace_lane(x, 1, load<f32>(at, 4));
  if (i + 2 < dimensions) x = f32x4.replace_lane(x, 2, load<f32>(at, 8));
  return x;
}

/** Largest |component|, or -1 when one is NaN or infinite. Without their sign, float32 order as their bits do. */
function largestMagnitude(values: usize, dimensions: i32): f64 {
  const withoutSign = i32x4.splat(0x7fffffff);
  let most = i32x4.splat(0);
  for (let i = 0; i < dimensions; i += 4) {
    most = i32x4.max_s(most, v128.and(quadAt(values, i, dimensions), withoutSign));
  }
  const bits = max(
    max(i32x4.extract_lane(most, 0), i32x4.extract_lane(most, 1)),
    max(i32x4.extract_lane(most, 2), i32x4.extract_lane(most, 3)),
  );
  return bits >= 0x7f800000 ? -1 : <f64>reinterpret<f32>(bits);
}

/**
 * Quantises one vector to at most `levels`, coarser where a 16-bit lane would not stay within `laneNorm`. Writes each
 * level plus `offset` as a byte, four at a time every `stride` bytes, and to `facts` five float64: step, norm (summed
 * from left to right), norm of the quantised vector, norm of the residual, sum of the levels. `most` is its largest
 * magnitude. Which way a level is rounded changes nothing: the residual is measured afterwards, in float64.
 */
function quantise(
  values: usize,
  dimensions: i32,
  most: f64,
  levels: f64,
  laneNorm: f64,
  offset: i32,
  to: usize,
  stride: usize,
  facts: usize,
): void {
  let step: f64 = most == 0 ? 1 : most / levels;
  const limit = laneNorm * laneNorm;
  const offsets = i32x4.splat(offset);
  for (;;) {
    const plain = step > SMALLEST_PLAIN && step < LARGEST_PLAIN;
    const inverse = 1 / step;
    const inverse32 = f32x4.splat(<f32>inverse);
    const inverse64 = f64x2.splat(inverse);
    const steps = f64x2.splat(step);
    let norm: f64 = 0;
    let residual = f64x2.splat(0);
    let sum = i32x4.splat(0);
    let quantised: f64 = 0;
    let lane = f32x4.splat(0);
    let mostLane: f64 = 0;
    let at = to;
    for (let i = 0; i < dimensions; i += 4) {
      const x = quadAt(values, i, dimensions);
      const low = f64x2.promote_low_f32x4(x);
      const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(x, x, 2, 3, 2, 3));
      let n: v128;
      if (plain) {
        n = f32x4.nearest(f32x4.mul(x, inverse32));
      } else {
        n = v128.shuffle<i64>(
          f32x4.demote_f64x2_zero(f64x2.nearest(f64x2.mul(low, inverse64))),
          f32x4.demote_f64x2_zero(f64x2.nearest(f64x2.mul(high, inverse64))),
          0,
          2,
        );
      }
      const integers = i32x4.trunc_sat_f32x4_s(n);
      sum = i32x4.add(sum, integers);
      lane = f32x4.add(lane, f32x4.mul(n, n));
      const nLow = f64x2.promote_low_f32x4(n);
      const nHigh = f64x2.promote_low_f32x4(v128.shuffle<i32>(n, n, 2, 3, 2, 3));
      const rLow = f64x2.sub(low, f64x2.mul(nLow, steps));
      const rHigh = f64x2.sub(high, f64x2.mul(nHigh, steps));
      residual = f64x2.add(residual, f64x2.add(f64x2.mul(rLow, rLow), f64x2.mul(rHigh, rHigh)));
      const squareLow = f64x2.mul(low, low);
      const squareHigh = f64x2.mul(high, high);
      norm += f64x2.extract_lane(squareLow, 0);
      norm += f64x2.extract_lane(squareLow, 1);
      norm += f64x2.extract_lane(squareHigh, 0);
      norm += f64x2.extract_lane(squareHigh, 1);
      const words = i16x8.narrow_i32x4_s(i32x4.add(integers, offsets), offsets);
      v128.store32_lane(at, i8x16.narrow_i16x8_s(words, words), 0);
      at += stride;
      if ((i & 63) === 60 || i + 4 >= dimensions) {
        // One 16-bit lane adds two of each four dimensions, over 64 of them.
        const first = <f64>f32x4.extract_lane(lane, 0) + <f64>f32x4.extract_lane(lane, 1);
        const second = <f64>f32x4.extract_lane(lane, 2) + <f64>f32x4.extract_lane(lane, 3);
        quantised += first + second;
        mostLane = max(mostLane, max(first, second));
        lane = f32x4.splat(0);
      }
    }
    if (mostLane <= limit) {
      store<f64>(facts, step);
      store<f64>(facts, sqrt<f64>(norm), 8);
      store<f64>(facts, sqrt<f64>(quantised) * step, 16);
      store<f64>(facts, sqrt<f64>(f64x2.extract_lane(residual, 0) + f64x2.extract_lane(residual, 1)), 24);
      store<f64>(
        facts,
        <f64>(
          (i32x4.extract_lane(sum, 0) +
            i32x4.extract_lane(sum, 1) +
            i32x4.extract_lane(sum, 2) +
            i32x4.extract_lane(sum, 3))
        ),
        32,
      );
      return;
    }
    step *= max(sqrt<f64>(mostLane) / laneNorm, 1.0) * 1.004;
  }
}

/**
 * Packs `rows` float32 rows into panels of 8: [panel][4 dimensions][8 documents][4 bytes], and writes per row four
 * float64 (step, norm, norm of the quantised vector, norm of the residual) and the sum of its levels (int32).
 * A row that is not finite gets zero levels and norm NaN. `panels` must be zeroed; dimensions are padded to 4. `scratch`:
 * 40 bytes.
 * Returns the number of rows that are not finite.
 */
export function packDocuments(
  values: usize,
  rows: i32,
  dimensions: i32,
  panels: usize,
  facts: usize,
  sums: usize,
  scratch: usize,
): i32 {
  const quads = (dimensions + 3) >> 2;
  let refused = 0;
  for (let row = 0; row < rows; row++) {
    const from = values + <usize>row * <usize>(dimensions << 2);
    const fact = facts + ((<usize>row) << 5);
    const most = largestMagnitude(from, dimensions);
    if (most < 0) {
      refused++;
      store<f64>(fact, 1);
      store<f64>(fact, NaN, 8);
      store<f64>(fact, 0, 16);
      store<f64>(fact, 0, 24);
      store<i32>(sums + ((<usize>row) << 2), 0);
      continue;
    }
    const to = panels + <usize>(row >> 3) * <usize>(quads << 5) + ((<usize>(row & 7)) << 2);
    quantise(from, dimensions, most, 127, MAX_LANE_NORM_DOCUMENT, 0, to, 32, scratch);
    v128.store(fact, v128.load(scratch));
    v128.store(fact, v128.load(scratch, 16), 16);
    store<i32>(sums + ((<usize>row) << 2), <i32>load<f64>(scratch, 32));
  }
  return refused;
}

/**
 * Writes what the tiles read beside each panel (80 bytes: 8 x -sum of levels, 8 x scale, two maxima) and per row the
 * two bound factors, for one similarity. `unit` is the power of two that brings the largest norm near 1 under dot and
 * is ignored under cosine. Rows that are refused, and rows after the last, get scale NaN: no test lets them pass.
 */
export function prepareRows(
  rows: i32,
  facts: usize,
  sums: usize,
  cosine: i32,
  unit: f64,
  slack: f64,
  side: usize,
  near: usize,
  far: usize,
): void {
  const padded = (rows + 7) & ~7;
  for (let first = 0; first < padded; first += 8) {
    const at = side + <usize>(first >> 3) * 80;
    let mostNear: f32 = 0;
    let mostFar: f32 = 0;
    for (let lane = 0; lane < 8; lane++) {
      const row = first + lane;
      let scale: f32 = NaN;
      let nearFactor: f32 = 0;
      let farFactor: f32 = 0;
      let sum = 0;
      if (row < rows) {
        const fact = facts + ((<usize>row) << 5);
        const norm = load<f64>(fact, 8);
        if (norm == norm) {
          const factor = cosine ? (norm > 0 ? 1 / norm : 0) : unit;
          // A zero row's step means nothing and could overflow.
          scale = norm > 0 ? <f32>(load<f64>(fact) * factor) : 0;
          nearFactor = <f32>(load<f64>(fact, 16) * factor * (1 + slack));
          farFactor = <f32>((load<f64>(fact, 24) * (1 + slack) + norm * slack) * factor);
          // Under dot a row can be so small beside the largest that float32 loses it: an absolute allowance.
          if (!cosine) {
            nearFactor += <f32>1e-37;
            farFactor += <f32>1e-37;
          }
          sum = load<i32>(sums + ((<usize>row) << 2));
        }
      }
      store<i32>(at + ((<usize>lane) << 2), -sum);
      store<f32>(at + ((<usize>lane) << 2), scale, 32);
      store<f32>(near + ((<usize>row) << 2), nearFactor);
      store<f32>(far + ((<usize>row) << 2), farFactor);
      mostNear = max(mostNear, nearFactor);
      mostFar = max(mostFar, farFactor);
    }
    store<f32>(at, mostNear, 64);
    store<f32>(at, mostFar, 68);
  }
}

/** Writes, per panel and 64 dimensions, the 16-bit start values -64 * (sum of levels of each lane), modulo 2^16. */
export function prepareWrapping(panels: usize, count: i32, quads: i32, starts: usize): void {
  let to = starts;
  for (let panel = 0; panel < count; panel++) {
    const from = panels + <usize>panel * <usize>(quads << 5);
    for (let start = 0; start < quads; start += 16) {
      const end = min(start + 16, quads);
      let low = i16x8.splat(0);
      let high = i16x8.splat(0);
      for (let quad = start; quad < end; quad++) {
        const at = from + ((<usize>quad) << 5);
        low = i16x8.add(low, i16x8.extadd_pairwise_i8x16_s(v128.load(at)));
        high = i16x8.add(high, i16x8.extadd_pairwise_i8x16_s(v128.load(at, 16)));
      }
      v128.store(to, i16x8.shl(i16x8.neg(low), 6));
      v128.store(to, i16x8.shl(i16x8.neg(high), 6), 16);
      to += 32;
    }
  }
}

/** Largest |component| and norms of one query; float64 copy for the rescoring. Returns -1 when it is not finite. */
export function widenQuery(values: usize, dimensions: i32, wide: usize): f64 {
  let norm: f64 = 0;
  for (let i = 0; i < dimensions; i++) {
    const x = <f64>load<f32>(values + ((<usize>i) << 2));
    store<f64>(wide + ((<usize>i) << 3), x);
    norm += x * x;
  }
  if (largestMagnitude(values, dimensions) < 0) return -1;
  return sqrt<f64>(norm);
}

/**
 * Quantises one query to 7 bits (-63..63, stored + 64) in its place of a query block [4 dimensions][width][4 bytes].
 * Writes five float64 to `facts`, as `quantise` does.
 */
export function packQuery7(values: usize, dimensions: i32, to: usize, width: i32, facts: usize): void {
  const most = largestMagnitude(values, dimensions);
  quantise(values, dimensions, most, 63, MAX_LANE_NORM_QUERY, 64, to, <usize>(width << 2), facts);
}

function level(x: f64): i32 {
  return <i32>nearest<f64>(x);
}

/** Writes step and residual norm of a query to `facts`, in the places that `quantise` has for them. */
function storeFacts(facts: usize, step: f64, residual: f64): void {
  store<f64>(facts, step);
  store<f64>(facts, sqrt<f64>(residual), 24);
}

/**
 * Quantises one query to `levels` (at most 8063) as two 7-bit planes: level + 8064 = 128 * high + low,
 * [4 dimensions][high 4 bytes, low 4 bytes].
 */
export function packQueryPlanes(values: usize, dimensions: i32, to: usize, levels: i32, facts: usize): void {
  const most = largestMagnitude(values, dimensions);
  const step: f64 = most == 0 ? 1 : most / <f64>levels;
  const inverse = 1 / step;
  let residual: f64 = 0;
  const padded = (dimensions + 3) & ~3;
  for (let i = 0; i < padded; i++) {
    let n = 0;
    if (i < dimensions) {
      const x = <f64>load<f32>(values + ((<usize>i) << 2));
      n = level(x * inverse);
      const r = x - <f64>n * step;
      residual += r * r;
    }
    const shifted = n + 8064;
    const at = to + ((<usize>(i >> 2)) << 3) + <usize>(i & 3);
    store<u8>(at, <u8>(shifted >> 7));
    store<u8>(at, <u8>(shifted & 127), 4);
  }
  storeFacts(facts, step, residual);
}

/** Quantises one query to `levels` (at most 32767) as int16 in a query block [4 dimensions][width][4 x int16]. */
export function packQuery16(
  values: usize,
  dimensions: i32,
  to: usize,
  width: i32,
  levels: i32,
  facts: usize,
): void {
  const most = largestMagnitude(values, dimensions);
  const step: f64 = most == 0 ? 1 : most / <f64>levels;
  const inverse = 1 / step;
  let residual: f64 = 0;
  const padded = (dimensions + 3) & ~3;
  for (let i = 0; i < padded; i++) {
    let n = 0;
    if (i < dimensions) {
      const x = <f64>load<f32>(values + ((<usize>i) << 2));
      n = level(x * inverse);
      const r = x - <f64>n * step;
      residual += r * r;
    }
    store<i16>(to + <usize>(i >> 2) * <usize>(width << 3) + ((<usize>(i & 3)) << 1), <i16>n);
  }
  storeFacts(facts, step, residual);
}

/**
 * Exact scores of one query for the rows that `rows` names (u32, every 8 bytes): the float64 sum of products, strictly left
 * to right, each product exact. Eight rows at a time, one a lane of four accumulators: their sums do not wait for each
 * other, and no row's order of additions changes.
 */
export function rescore(
  values: usize,
  dimensions: i32,
  wide: usize,
  rows: usize,
  count: i32,
  out: usize,
): void {
  const rowBytes = <usize>(dimensions << 2);
  const even = <usize>((dimensions & ~1) << 2);
  const last = count - 1;
  for (let at = 0; at < count; at += 8) {
    // Beyond the end the last row is computed again, and its score is written to the same place.
    const i1 = min(at + 1, last);
    const i2 = min(at + 2, last);
    const i3 = min(at + 3, last);
    const i4 = min(at + 4, last);
    const i5 = min(at + 5, last);
    const i6 = min(at + 6, last);
    const i7 = min(at + 7, last);
    let d0 = values + <usize>load<u32>(rows + ((<usize>at) << 3)) * rowBytes;
    let d1 = values + <usize>load<u32>(rows + ((<usize>i1) << 3)) * rowBytes;
    let d2 = values + <usize>load<u32>(rows + ((<usize>i2) << 3)) * rowBytes;
    let d3 = values + <usize>load<u32>(rows + ((<usize>i3) << 3)) * rowBytes;
    let d4 = values + <usize>load<u32>(rows + ((<usize>i4) << 3)) * rowBytes;
    let d5 = values + <usize>load<u32>(rows + ((<usize>i5) << 3)) * rowBytes;
    let d6 = values + <usize>load<u32>(rows + ((<usize>i6) << 3)) * rowBytes;
    let d7 = values + <usize>load<u32>(rows + ((<usize>i7) << 3)) * rowBytes;
    let s01 = f64x2.splat(0);
    let s23 = s01;
    let s45 = s01;
    let s67 = s01;
    let q = wide;
    const end = d0 + even;
    while (d0 < end) {
      const x = v128.load(q);
      const p0 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d0)), x);
      const p1 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d1)), x);
      s01 = f64x2.add(s01, v128.shuffle<i64>(p0, p1, 0, 2));
      s01 = f64x2.add(s01, v128.shuffle<i64>(p0, p1, 1, 3));
      const p2 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d2)), x);
      const p3 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d3)), x);
      s23 = f64x2.add(s23, v128.shuffle<i64>(p2, p3, 0, 2));
      s23 = f64x2.add(s23, v128.shuffle<i64>(p2, p3, 1, 3));
      const p4 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d4)), x);
      const p5 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d5)), x);
      s45 = f64x2.add(s45, v128.shuffle<i64>(p4, p5, 0, 2));
      s45 = f64x2.add(s45, v128.shuffle<i64>(p4, p5, 1, 3));
      const p6 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d6)), x);
      const p7 = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(d7)), x);
      s67 = f64x2.add(s67, v128.shuffle<i64>(p6, p7, 0, 2));
      s67 = f64x2.add(s67, v128.shuffle<i64>(p6, p7, 1, 3));
      d0 += 8;
      d1 += 8;
      d2 += 8;
      d3 += 8;
      d4 += 8;
      d5 += 8;
      d6 += 8;
      d7 += 8;
      q += 16;
    }
    if (dimensions & 1) {
      const x = v128.load64_splat(q);
      s01 = f64x2.add(s01, f64x2.mul(bothOf(d0, d1), x));
      s23 = f64x2.add(s23, f64x2.mul(bothOf(d2, d3), x));
      s45 = f64x2.add(s45, f64x2.mul(bothOf(d4, d5), x));
      s67 = f64x2.add(s67, f64x2.mul(bothOf(d6, d7), x));
    }
    store<f64>(out + ((<usize>at) << 3), f64x2.extract_lane(s01, 0));
    store<f64>(out + ((<usize>i1) << 3), f64x2.extract_lane(s01, 1));
    store<f64>(out + ((<usize>i2) << 3), f64x2.extract_lane(s23, 0));
    store<f64>(out + ((<usize>i3) << 3), f64x2.extract_lane(s23, 1));
    store<f64>(out + ((<usize>i4) << 3), f64x2.extract_lane(s45, 0));
    store<f64>(out + ((<usize>i5) << 3), f64x2.extract_lane(s45, 1));
    store<f64>(out + ((<usize>i6) << 3), f64x2.extract_lane(s67, 0));
    store<f64>(out + ((<usize>i7) << 3), f64x2.extract_lane(s67, 1));
  }
}

/** Two float32 as two float64 lanes. */
function bothOf(a: usize, b: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load32_lane(b, v128.load32_zero(a), 1));
}

// Buckets between the smallest and the largest value: fine beside any bound, cheap to clear.
const BUCKETS: i32 = 512;

/**
 * Returns a value that at least k of the `count` (>= k) float32 values reach, and few more than k: the smallest value
 * in the buckets that hold the k largest. Without branches on the data, which would be mispredicted half the time.
 * `values` has room for three more values, `buckets` for 512 uint32. Right whatever the buckets do: it is the minimum
 * of a set of at least k values.
 */
function barOf(values: usize, count: i32, k: i32, buckets: usize): f32 {
  for (let i = count; i & 3; i++) store<f32>(values + ((<usize>i) << 2), load<f32>(values));
  let lowest = v128.load(values);
  let highest = lowest;
  for (let i = 4; i < count; i += 4) {
    const x = v128.load(values + ((<usize>i) << 2));
    lowest = f32x4.pmin(lowest, x);
    highest = f32x4.pmax(highest, x);
  }
  const low = min(
    min(f32x4.extract_lane(lowest, 0), f32x4.extract_lane(lowest, 1)),
    min(f32x4.extract_lane(lowest, 2), f32x4.extract_lane(lowest, 3)),
  );
  const high = max(
    max(f32x4.extract_lane(highest, 0), f32x4.extract_lane(highest, 1)),
    max(f32x4.extract_lane(highest, 2), f32x4.extract_lane(highest, 3)),
  );
  const scale = <f32>(BUCKETS - 1) / (high - low);
  memory.fill(buckets, 0, BUCKETS << 2);
  const lowLanes = f32x4.splat(low);
  const scaleLanes = f32x4.splat(scale);
  const top = i32x4.splat(BUCKETS - 1);
  for (let i = 0; i < count; i += 4) {
    const at = values + ((<usize>i) << 2);
    const bucket = i32x4.min_s(
      i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(v128.load(at), lowLanes), scaleLanes)),
      top,
    );
    const b0 = buckets + ((<usize>i32x4.extract_lane(bucket, 0)) << 2);
    store<u32>(b0, load<u32>(b0) + 1);
    if (i + 1 < count) {
      const b1 = buckets + ((<usize>i32x4.extract_lane(bucket, 1)) << 2);
      store<u32>(b1, load<u32>(b1) + 1);
    }
    if (i + 2 < count) {
      const b2 = buckets + ((<usize>i32x4.extract_lane(bucket, 2)) << 2);
      store<u32>(b2, load<u32>(b2) + 1);
    }
    if (i + 3 < count) {
      const b3 = buckets + ((<usize>i32x4.extract_lane(bucket, 3)) << 2);
      store<u32>(b3, load<u32>(b3) + 1);
    }
  }
  let least = BUCKETS;
  let held: i32 = 0;
  while (held < k && least > 0) {
    least--;
    held += load<i32>(buckets + ((<usize>least) << 2));
  }
  // The smallest value of those buckets; the lanes of others count as +Infinity.
  const leastLanes = i32x4.splat(least);
  const infinity = f32x4.splat(f32.POSITIVE_INFINITY);
  let bar = infinity;
  for (let i = 0; i < count; i += 4) {
    const x = v128.load(values + ((<usize>i) << 2));
    const bucket = i32x4.min_s(i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.sub(x, lowLanes), scaleLanes)), top);
    bar = f32x4.pmin(bar, v128.bitselect(x, infinity, i32x4.ge_s(bucket, leastLanes)));
  }
  return min(
    min(f32x4.extract_lane(bar, 0), f32x4.extract_lane(bar, 1)),
    min(f32x4.extract_lane(bar, 2), f32x4.extract_lane(bar, 3)),
  );
}

/**
 * Tightens one query: raises its threshold to what at least k lower bounds among its candidates (row u32, score f32)
 * reach and keeps the candidates whose upper bound reaches it. Threshold and count are read and written where they are;
 * `offset` is what the query's place in the arrays of 4 bytes is. `scratch`: 2 KiB of buckets, then a float32 a candidate
 * and three more.
 */
export function tighten(
  candidates: usize,
  k: i32,
  offset: usize,
  counts: usize,
  thresholds: usize,
  alphas: usize,
  betas: usize,
  near: usize,
  far: usize,
  scratch: usize,
): void {
  const count = load<i32>(counts + offset);
  const alpha = load<f32>(alphas + offset);
  const beta = load<f32>(betas + offset);
  let bar = load<f32>(thresholds + offset);
  if (count >= k) {
    const values = scratch + (BUCKETS << 2);
    for (let i = 0; i < count; i++) {
      const at = candidates + ((<usize>i) << 3);
      const row = (<usize>load<u32>(at)) << 2;
      store<f32>(
        values + ((<usize>i) << 2),
        load<f32>(at, 4) - alpha * load<f32>(near + row) - beta * load<f32>(far + row),
      );
    }
    bar = max(bar, barOf(values, count, k, scratch));
    store<f32>(thresholds + offset, bar);
  }
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const at = candidates + ((<usize>i) << 3);
    const row = (<usize>load<u32>(at)) << 2;
    const upper = load<f32>(at, 4) + alpha * load<f32>(near + row) + beta * load<f32>(far + row);
    // Written always, counted only when kept: no branch.
    store<u64>(candidates + ((<usize>kept) << 3), load<u64>(at));
    kept += <i32>(upper >= bar);
  }
  store<i32>(counts + offset, kept);
}

/** Moves the k candidates with the largest scores, and few more, to the front; returns how many (count >= k). */
export function frontLargest(candidates: usize, count: i32, k: i32, scratch: usize): i32 {
  const values = scratch + (BUCKETS << 2);
  for (let i = 0; i < count; i++) {
    store<f32>(values + ((<usize>i) << 2), load<f32>(candidates + ((<usize>i) << 3), 4));
  }
  const bar = barOf(values, count, k, scratch);
  let front = 0;
  for (let i = 0; i < count; i++) {
    const at = candidates + ((<usize>i) << 3);
    const to = candidates + ((<usize>front) << 3);
    const mine = load<u64>(at);
    const other = load<u64>(to);
    const goes = load<f32>(at, 4) >= bar;
    store<u64>(at, select(other, mine, goes));
    store<u64>(to, select(mine, other, goes));
    front += <i32>goes;
  }
  return front;
}

/** Appends the rows of one panel that passed, unless masked or excluded, to a query's candidates. */
function push(
  query: i32,
  firstRow: i32,
  passed: i32,
  low: v128,
  high: v128,
  candidates: usize,
  capacity: i32,
  counts: usize,
  masks: usize,
  exclusions: usize,
  scratch: usize,
): void {
  const q = (<usize>query) << 2;
  const mask = load<u32>(masks + q);
  if (mask) passed &= <i32>load<u8>(<usize>mask + <usize>(firstRow >> 3));
  if (!passed) return;
  v128.store(scratch, low);
  v128.store(scratch, high, 16);
  let count = load<i32>(counts + q);
  const to = candidates + ((<usize>query * <usize>capacity) << 3);
  const from = load<u32>(exclusions + q);
  const until = load<u32>(exclusions + q, 4);
  do {
    const lane = ctz(passed);
    passed &= passed - 1;
    const row = firstRow + lane;
    let wanted = true;
    for (let i = from; i < until; i += 4) if (load<i32>(<usize>i) == row) wanted = false;
    if (wanted) {
      const at = to + ((<usize>count) << 3);
      store<i32>(at, row);
      store<f32>(at, load<f32>(scratch + ((<usize>lane) << 2)), 4);
      count++;
    }
  } while (passed);
  store<i32>(counts + q, count);
}
