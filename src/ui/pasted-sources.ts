import { parameter, parseAddress, type Parameter } from '../share/address.ts';
import { PAYLOAD_PARAMETER } from '../share/link.ts';

/**
 * Returns the sources in pasted text: links and addresses of results, one or more a line, or bare payloads. Text that
 * holds none gives an empty list.
 */
export function sourcesInText(text: string): Parameter[] {
  return text.split(/[\s<>()"]+/u).flatMap((word): Parameter[] => {
    const start = word.search(/#|%23/u);
    if (start < 0) return word.length > 40 ? [[PAYLOAD_PARAMETER, word]] : [];
    const address = parseAddress(word.slice(start));
    const payload = parameter(address, PAYLOAD_PARAMETER);
    if (payload !== undefined) return [[PAYLOAD_PARAMETER, payload]];
    const id = parameter(address, 'id');
    return id === undefined ? [] : [['id', id]];
  });
}
