import { countText } from './format.ts';
import type { OpenedResult } from './opened-result.ts';

type Row = readonly [name: string, value: string];

/** Everything that a result was made from, as names and values in the order in which people ask for them. */
export function provenanceRows(result: OpenedResult): Row[] {
  if (result.origin === 'link') {
    const { manifest, digests } = result.receipt;
    return [
      ['created', manifest.createdAt],
      ['Assay', manifest.assayVersion],
      ['benchmark', `${manifest.benchmark.id}, ${countText(manifest.benchmark.documents)} documents`],
      ['model', `${manifest.model.id} ${manifest.model.dtype}, revision ${manifest.model.revision}`],
      ['protocol', manifest.protocol],
      ['device', manifest.device],
      ...Object.entries(digests).map(([name, digest]): Row => [`sha256 ${name}`, digest]),
    ];
  }
  const { record } = result;
  const { benchmark, model, device } = record;
  return [
    ['created', record.createdAt],
    ['Assay', record.assayVersion],
    ['record sha256', record.id],
    [
      'benchmark',
      `${benchmark.name}, ${countText(benchmark.counts.documents)} documents, ${countText(benchmark.counts.queries)} queries, from ${benchmark.source}`,
    ],
    ['benchmark sha256', benchmark.digest],
    ...Object.entries(benchmark.parts).map(([name, digest]): Row => [`${name} sha256`, digest]),
    ['model', `${model.id} ${model.dtype}, revision ${model.revision}`],
    [
      'vectors',
      `${model.dimensions} dimensions, ${model.pooling} pooling, at most ${countText(model.maxTokens)} tokens, ${model.normalised ? 'normalised' : 'not normalised'}, batches of ${countText(model.batchTokens)} tokens`,
    ],
    ['query prompt', promptText(model.prompts.query)],
    ['document prompt', promptText(model.prompts.document)],
    ...Object.entries(model.fileDigests).map(([path, digest]): Row => [`${path} sha256`, digest]),
    ['protocol', record.protocol.id],
    ['protocol sha256', record.protocol.digest],
    ...Object.entries(record.protocol.settings).map(([name, value]): Row => [
      `protocol: ${name}`,
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
    ['device', `${device.backend}: ${device.reason}`],
    ['threads', `${device.threads}: ${device.threadsReason}`],
    ...(device.adapter === undefined
      ? []
      : [
          [
            'adapter',
            [device.adapter.vendor, device.adapter.architecture, device.adapter.description]
              .filter((part) => part !== '')
              .join(', '),
          ] as const,
        ]),
    ['browser', device.userAgent],
    ...Object.entries(record.runtime).map(([name, version]): Row => [`version of ${name}`, version]),
    ...Object.entries(record.oracle ?? {}).map(([name, value]): Row => [`oracle: ${name}`, String(value)]),
    ['seed', String(record.seed)],
    ['depth', countText(record.depth)],
    ...Object.entries(record.counts).map(([name, count]): Row => [`count: ${name}`, countText(count)]),
    ...Object.entries(record.digests).map(([name, digest]): Row => [`${name} sha256`, digest]),
  ];
}

function promptText(prompt: { readonly text: string; readonly rule: string }): string {
  return prompt.text === '' ? `none (${prompt.rule})` : `${JSON.stringify(prompt.text)} (${prompt.rule})`;
}

/** The numerics check in one line. */
export function numericsSentence(result: OpenedResult): string {
  if (result.origin === 'link') {
    const { probeError } = result.receipt.manifest;
    return probeError === null
      ? 'The link says that the vectors were not checked.'
      : `The link says that scores differed by at most ${probeError.toExponential(1)} on the probes.`;
  }
  const { numerics } = result.record;
  const error = numerics.deviceError?.largestMarginChange;
  const against = numerics.against === 'nothing' ? '' : ` against the ${numerics.against}`;
  if (numerics.verdict === 'unchecked') return 'The vectors were not checked.';
  const measured =
    error === undefined
      ? ''
      : `, largest change of a margin ${error.toExponential(1)} (limit ${numerics.limit.toExponential(1)})`;
  const quantised = numerics.quantisationError?.largestMarginChange;
  const label =
    quantised === undefined
      ? ''
      : ` The weights differ from the fp32 original by up to ${quantised.toExponential(1)} in a margin.`;
  const reduced =
    numerics.reducedBecause === undefined ? '' : ` Fewer probes than there are: ${numerics.reducedBecause}.`;
  return `Vectors ${numerics.verdict}: ${numerics.probes} probes compared${against}${measured}.${label}${reduced}`;
}
