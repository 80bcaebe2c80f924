// Generates the register tiles of the fast pass. AssemblyScript has no macros, and a tile is only fast with every
// accumulator in its own variable.

/** @typedef {{ name: string, kind: 'dot7' | 'wrap' | 'wide', queries: number }} Tile */

const SIGNATURE = `
  docs: usize, panels: i32, quads: i32, firstRow: i32, queries: usize, firstQuery: i32, blocks: i32,
  side: usize, starts: usize, thresholds: usize, alphas: usize, betas: usize,
  candidates: usize, capacity: i32, counts: usize, masks: usize, exclusions: usize, scratch: usize`;

const lines = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join('\n');

/** What every tile ends with: scale, compare with each query's threshold less its bound, push what passed. */
function epilogue(queries, low, high) {
  return `
      {
        const scaleLow = v128.load(at, 32);
        const scaleHigh = v128.load(at, 48);
        const near = v128.load32_splat(at, 64);
        const far = v128.load32_splat(at, 68);
        const q4 = <usize>query << 2;
${lines(
  queries,
  (m) => `        const l${m} = f32x4.mul(f32x4.convert_i32x4_s(${low(m)}), scaleLow);
        const h${m} = f32x4.mul(f32x4.convert_i32x4_s(${high(m)}), scaleHigh);
        const t${m} = f32x4.sub(f32x4.sub(v128.load32_splat(thresholds + q4, ${4 * m}), f32x4.mul(v128.load32_splat(alphas + q4, ${4 * m}), near)), f32x4.mul(v128.load32_splat(betas + q4, ${4 * m}), far));
        ${m === 0 ? 'let any' : 'any'} = ${m === 0 ? '' : 'v128.or(any, '}v128.or(f32x4.ge(l${m}, t${m}), f32x4.ge(h${m}, t${m}))${m === 0 ? '' : ')'};`,
)}
        if (v128.any_true(any)) {
${lines(
  queries,
  (
    m,
  ) => `          const p${m} = i32x4.bitmask(f32x4.ge(l${m}, t${m})) | (i32x4.bitmask(f32x4.ge(h${m}, t${m})) << 4);
          if (p${m}) push(query + ${m}, firstRow + (panel << 3), p${m}, l${m}, h${m}, candidates, capacity, counts, masks, exclusions, scratch);`,
)}
        }
      }`;
}

/** 8-bit documents, 7-bit queries, the one-instruction dot product into 32 bits. */
function dot7(name, queries) {
  return `export function ${name}(${SIGNATURE}): void {
  for (let block = 0; block < blocks; block++) {
    const query = firstQuery + block * ${queries};
    const block0 = queries + <usize>block * <usize>(quads * ${4 * queries});
    let p = docs;
    let at = side;
    for (let panel = 0; panel < panels; panel++) {
      let q = block0;
      const startLow = i32x4.shl(v128.load(at), 6);
      const startHigh = i32x4.shl(v128.load(at, 16), 6);
${lines(queries, (m) => `      let a${m} = startLow;\n      let b${m} = startHigh;`)}
      const end = p + <usize>(quads << 5);
      while (p < end) {
        const low = v128.load(p);
        const high = v128.load(p, 16);
${lines(
  queries,
  (m) => `        const q${m} = v128.load32_splat(q, ${4 * m});
        a${m} = i32x4.relaxed_dot_i8x16_i7x16_add_s(low, q${m}, a${m});
        b${m} = i32x4.relaxed_dot_i8x16_i7x16_add_s(high, q${m}, b${m});`,
)}
        p += 32;
        q += ${4 * queries};
      }${epilogue(
        queries,
        (m) => `a${m}`,
        (m) => `b${m}`,
      )}
      at += 80;
    }
  }
}
`;
}

/** The same numbers where that instruction is slow: 16-bit sums that wrap, widened every 64 dimensions. */
function wrap(name, queries) {
  const tile = (m, half) => 64 + 32 * m + 16 * half;
  return `export function ${name}(${SIGNATURE}): void {
  const ones = i16x8.splat(1);
  for (let block = 0; block < blocks; block++) {
    const query = firstQuery + block * ${queries};
    const block0 = queries + <usize>block * <usize>(quads * ${4 * queries});
    let p = docs;
    let at = side;
    let start = starts;
    for (let panel = 0; panel < panels; panel++) {
      let q = block0;
${lines(
  queries,
  (m) => `      v128.store(scratch, i32x4.splat(0), ${tile(m, 0)});
      v128.store(scratch, i32x4.splat(0), ${tile(m, 1)});`,
)}
      const panelEnd = p + <usize>(quads << 5);
      while (p < panelEnd) {
        const startLow = v128.load(start);
        const startHigh = v128.load(start, 16);
        start += 32;
${lines(queries, (m) => `        let a${m} = startLow;\n        let b${m} = startHigh;`)}
        const end = min(p + 512, panelEnd);
        while (p < end) {
          const low = v128.load(p);
          const high = v128.load(p, 16);
${lines(
  queries,
  (m) => `          const q${m} = v128.load32_splat(q, ${4 * m});
          a${m} = i16x8.add(a${m}, i16x8.relaxed_dot_i8x16_i7x16_s(low, q${m}));
          b${m} = i16x8.add(b${m}, i16x8.relaxed_dot_i8x16_i7x16_s(high, q${m}));`,
)}
          p += 32;
          q += ${4 * queries};
        }
${lines(
  queries,
  (
    m,
  ) => `        v128.store(scratch, i32x4.add(v128.load(scratch, ${tile(m, 0)}), i32x4.dot_i16x8_s(a${m}, ones)), ${tile(m, 0)});
        v128.store(scratch, i32x4.add(v128.load(scratch, ${tile(m, 1)}), i32x4.dot_i16x8_s(b${m}, ones)), ${tile(m, 1)});`,
)}
      }${epilogue(
        queries,
        (m) => `v128.load(scratch, ${tile(m, 0)})`,
        (m) => `v128.load(scratch, ${tile(m, 1)})`,
      )}
      at += 80;
    }
  }
}
`;
}

/** 8-bit documents, 16-bit queries, plain SIMD128. */
function wide(name, queries) {
  const parts = [0, 1, 2, 3];
  const joined = (m, i) =>
    `i32x4.add(v128.shuffle<i32>(a${m}_${i}, a${m}_${i + 1}, 0, 2, 4, 6), v128.shuffle<i32>(a${m}_${i}, a${m}_${i + 1}, 1, 3, 5, 7))`;
  return `export function ${name}(${SIGNATURE}): void {
  for (let block = 0; block < blocks; block++) {
    const query = firstQuery + block * ${queries};
    const block0 = queries + <usize>block * <usize>(quads * ${8 * queries});
    let p = docs;
    let at = side;
    for (let panel = 0; panel < panels; panel++) {
      let q = block0;
${lines(queries, (m) => parts.map((i) => `      let a${m}_${i} = i32x4.splat(0);`).join('\n'))}
      const end = p + <usize>(quads << 5);
      while (p < end) {
        const low = v128.load(p);
        const high = v128.load(p, 16);
        const d0 = i16x8.extend_low_i8x16_s(low);
        const d1 = i16x8.extend_high_i8x16_s(low);
        const d2 = i16x8.extend_low_i8x16_s(high);
        const d3 = i16x8.extend_high_i8x16_s(high);
${lines(
  queries,
  (m) =>
    `        const q${m} = v128.load64_splat(q, ${8 * m});\n` +
    parts
      .map((i) => `        a${m}_${i} = i32x4.add(a${m}_${i}, i32x4.dot_i16x8_s(d${i}, q${m}));`)
      .join('\n'),
)}
        p += 32;
        q += ${8 * queries};
      }${epilogue(
        queries,
        (m) => joined(m, 0),
        (m) => joined(m, 2),
      )}
      at += 80;
    }
  }
}
`;
}

/**
 * One query as two 7-bit planes: as many bits as the memory's speed allows. Four dimensions twice a round, so that eight
 * sums hide the instruction's latency while the rows are read strictly one after the other.
 */
function planes(name) {
  const sums = ['0', '1'].flatMap((turn) => ['Low', 'High'].map((half) => turn + half));
  const step = (turn, doc, query) => `
        {
          const qHigh = v128.load32_splat(q, ${query});
          const qLow = v128.load32_splat(q, ${query + 4});
          const low = v128.load(p, ${doc});
          const high = v128.load(p, ${doc + 16});
${['Low', 'High']
  .map(
    (
      half,
    ) => `          up${turn}${half} = i32x4.relaxed_dot_i8x16_i7x16_add_s(${half.toLowerCase()}, qHigh, up${turn}${half});
          down${turn}${half} = i32x4.relaxed_dot_i8x16_i7x16_add_s(${half.toLowerCase()}, qLow, down${turn}${half});`,
  )
  .join('\n')}
        }`;
  const total = (half, offset) =>
    `i32x4.add(i32x4.add(i32x4.shl(i32x4.add(up0${half}, up1${half}), 7), i32x4.add(down0${half}, down1${half})), i32x4.mul(v128.load(at, ${offset}), back))`;
  return `export function ${name}(${SIGNATURE}): void {
  const back = i32x4.splat(8064);
  for (let block = 0; block < blocks; block++) {
    const query = firstQuery + block;
    const block0 = queries + <usize>block * <usize>(quads << 3);
    let p = docs;
    let at = side;
    for (let panel = 0; panel < panels; panel++) {
      let q = block0;
${sums.map((sum) => `      let up${sum} = i32x4.splat(0);\n      let down${sum} = i32x4.splat(0);`).join('\n')}
      const end = p + <usize>((quads & ~1) << 5);
      while (p < end) {${step('0', 0, 0)}${step('1', 32, 8)}
        p += 64;
        q += 16;
      }
      if (quads & 1) {${step('0', 0, 0)}
        p += 32;
      }
      const low = ${total('Low', 0)};
      const high = ${total('High', 16)};${epilogue(
        1,
        () => 'low',
        () => 'high',
      )}
      at += 80;
    }
  }
}
`;
}

/** The source of the tiles that need relaxed SIMD. */
export function relaxedTiles() {
  const widths = [1, 2, 3, 4, 5, 6];
  return [...widths.map((width) => dot7(`dot7x${width}`, width)), wrap('wrap4', 4), planes('planes1')].join(
    '\n',
  );
}

/** The source of the tiles in plain SIMD128. */
export function plainTiles() {
  return [wide('wide1', 1), wide('wide2', 2)].join('\n');
}
