import { toJsonSchema } from '@valibot/to-json-schema';
import { RECORD_SCHEMA, recordSchema } from './record.ts';

/**
 * Returns the record's schema as JSON Schema (draft 7), for programs that read records. What JSON Schema cannot say (a
 * finite number, the range of one metric) is checked by Assay alone.
 */
export function recordJsonSchema(): object {
  return {
    ...toJsonSchema(recordSchema, { errorMode: 'ignore' }),
    title: `Record of a result, ${RECORD_SCHEMA}`,
    description:
      'Everything that a result rests on: digests of data, model and protocol, device, numerics, every metric with its interval and every query. Member "id" is the SHA-256 of the canonical JSON (RFC 8785) of all other members.',
  };
}
