import { parameter, parseAddress, printAddress, withParameters, type Address } from '../share/address.ts';

/**
 * The address of this page as reactive state. There is one, since a page has one address: views read it and write to
 * it, and never keep beside it what it says.
 */
class Router {
  /** The address as it stands now. Replaced as a whole. */
  #address = $state.raw(parseAddress(location.hash));

  constructor() {
    // Links, the back button and a link pasted into the open page all end here.
    addEventListener('hashchange', () => this.#read());
    addEventListener('popstate', () => this.#read());
  }

  get address(): Address {
    return this.#address;
  }

  /** The view's name; the first screen is `evaluate`. */
  get view(): string {
    return this.#address.view === '' ? 'evaluate' : this.#address.view;
  }

  /** Returns the first value of a name in the address. */
  get(name: string): string | undefined {
    return parameter(this.#address, name);
  }

  /** Returns every value of a name, in the order of the address. */
  all(name: string): readonly string[] {
    return this.#address.parameters.filter(([key]) => key === name).map(([, value]) => value);
  }

  /** Replaces all parameters of the present view: for names that occur more than once. */
  setParameters(parameters: Address['parameters'], how: 'push' | 'replace'): void {
    this.#write({ view: this.#address.view, parameters }, how);
  }

  /** Goes to another view as a new entry of the history. */
  go(view: string, parameters: Readonly<Record<string, string>> = {}): void {
    this.#write({ view, parameters: Object.entries(parameters) }, 'push');
  }

  /**
   * Changes parameters of the present view; `undefined` removes one. `push` where the back button should undo it (a
   * row opened), `replace` where it is adjusted step by step (a filter typed).
   */
  set(changes: Readonly<Record<string, string | undefined>>, how: 'push' | 'replace'): void {
    this.#write(withParameters(this.#address, changes), how);
  }

  /** Returns the fragment of the present view with changed parameters: for links, so that a new tab works too. */
  href(changes: Readonly<Record<string, string | undefined>>): string {
    return printAddress(withParameters(this.#address, changes));
  }

  #read(): void {
    this.#address = parseAddress(location.hash);
  }

  #write(address: Address, how: 'push' | 'replace'): void {
    const fragment = printAddress(address);
    if (fragment === location.hash) return;
    if (how === 'push') history.pushState(null, '', fragment);
    else history.replaceState(null, '', fragment);
    this.#address = address;
  }
}

export const router = new Router();

/** Returns the fragment of a view, for links between views. */
export function hrefOf(view: string, parameters: Readonly<Record<string, string>> = {}): string {
  return printAddress({ view, parameters: Object.entries(parameters) });
}
