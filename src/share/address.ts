/**
 * The address of a view: `#/view?name=value&…`. It sits in the fragment, so that servers never log it, and everything
 * that a view shows is in it.
 */
export interface Address {
  /** The view's name, e.g. `evaluate` or `result`; empty for the first screen. */
  readonly view: string;
  /** In the order of the address. A name may occur more than once (`r=…&r=…` compares several links). Unknown names are kept. */
  readonly parameters: readonly Parameter[];
}

export type Parameter = readonly [name: string, value: string];

/**
 * Returns the address that a fragment spells. Never fails: a broken percent sequence is kept as it stands. Blanks and
 * line breaks (mailers wrap long links) are dropped, and a leading `%23` counts as `#`. Inverse: {@link printAddress}.
 */
export function parseAddress(fragment: string): Address {
  const text = fragment
    .replace(/\s+/gu, '')
    .replace(/^(?:#|%23)/u, '')
    .replace(/^\/?/u, '');
  const question = text.indexOf('?');
  const view = decode(question < 0 ? text : text.slice(0, question));
  if (question < 0) return { view, parameters: [] };
  const parameters = text
    .slice(question + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part): Parameter => {
      const equals = part.indexOf('=');
      if (equals < 0) return [decode(part), ''];
      return [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
  return { view, parameters };
}

/** Returns the fragment, with its `#`, in its one spelling. Inverse: {@link parseAddress}. */
export function printAddress(address: Address): string {
  const path = `#/${encode(address.view)}`;
  if (address.parameters.length === 0) return path;
  return `${path}?${address.parameters.map(([name, value]) => (value === '' ? encode(name) : `${encode(name)}=${encode(value)}`)).join('&')}`;
}

/** Returns the first value of a name, or undefined. */
export function parameter(address: Address, name: string): string | undefined {
  return address.parameters.find(([key]) => key === name)?.[1];
}

/**
 * Returns the address with some names set to one value each, in place where the name stood, else at the end;
 * `undefined` removes the name. Everything else stays.
 */
export function withParameters(
  address: Address,
  changes: Readonly<Record<string, string | undefined>>,
): Address {
  const left = new Map(Object.entries(changes));
  const parameters: Parameter[] = [];
  for (const [name, value] of address.parameters) {
    if (!Object.hasOwn(changes, name)) parameters.push([name, value]);
    else if (left.has(name)) {
      const changed = left.get(name);
      left.delete(name);
      if (changed !== undefined) parameters.push([name, changed]);
    }
  }
  for (const [name, value] of left) if (value !== undefined) parameters.push([name, value]);
  return { view: address.view, parameters };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A cut or mangled sequence: shown as it is, so that the view can say which value it does not know.
    return text;
  }
}

/** Percent-encodes what the grammar or a chat client would eat; `/`, `:`, `,`, `>`-like readable signs stay where URLs allow them. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/%2F/gu, '/')
    .replace(/%3A/gu, ':')
    .replace(/%2C/gu, ',')
    .replace(/%40/gu, '@')
    .replace(/[!'()*~]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
