import type { Component } from 'svelte';

/** A view: its name in the address, its title, and its component, loaded when it is first opened. */
export interface ViewEntry {
  readonly name: string;
  readonly title: string;
  /** Views that need something in their address (a result's id) are reached from others, not from the bar. */
  readonly inBar: boolean;
  readonly load: () => Promise<{ readonly default: Component }>;
}

/** Every view, in the order of the bar. A new view is one file and its line here. */
export const VIEWS: readonly ViewEntry[] = [
  { name: 'evaluate', title: 'Evaluate', inBar: true, load: () => import('./views/Evaluate.svelte') },
  { name: 'load', title: 'Load data', inBar: false, load: () => import('./views/Load.svelte') },
  { name: 'results', title: 'Results', inBar: true, load: () => import('./views/Results.svelte') },
  { name: 'result', title: 'Result', inBar: false, load: () => import('./views/Result.svelte') },
  { name: 'compare', title: 'Compare', inBar: true, load: () => import('./views/Compare.svelte') },
  { name: 'board', title: 'Board', inBar: true, load: () => import('./views/Board.svelte') },
  { name: 'storage', title: 'Storage', inBar: true, load: () => import('./views/Storage.svelte') },
];
