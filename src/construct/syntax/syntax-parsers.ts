import { Language, Parser, type Node, type Tree } from 'web-tree-sitter';
import { AppError, messageOf } from '../../domain/app-error.ts';

/** A grammar's short name: `python` is `tree-sitter-python.wasm`. */
export type GrammarName =
  | 'python'
  | 'go'
  | 'javascript'
  | 'rust'
  | 'typescript'
  | 'tsx'
  | 'java'
  | 'cpp'
  | 'c'
  | 'ruby'
  | 'php'
  | 'swift';

/** Where the WebAssembly files come from: the package folder in Node, the app's own assets in a page. */
export interface GrammarFiles {
  /** web-tree-sitter.wasm. */
  runtime(): Promise<Uint8Array>;
  grammar(name: GrammarName): Promise<Uint8Array>;
}

let runtimeStarted: Promise<void> | undefined;

/** Syntax trees of whole texts. Offsets of nodes count UTF-16 units, as JavaScript's strings do; rows count from 0. */
export class SyntaxParsers {
  readonly #parsers = new Map<GrammarName, Parser>();

  private constructor() {
    // Made by open() only: parsing is synchronous once the grammars are here.
  }

  /** Loads the runtime once and the grammars asked for. Throws `grammar-failed`. */
  static async open(files: GrammarFiles, names: readonly GrammarName[]): Promise<SyntaxParsers> {
    const opened = new SyntaxParsers();
    try {
      // A copy of its own: a file read in Node may share its buffer with others.
      runtimeStarted ??= files.runtime().then((bytes) => Parser.init({ wasmBinary: bytes.slice().buffer }));
      await runtimeStarted;
      for (const name of names) {
        const parser = new Parser();
        parser.setLanguage(await Language.load(await files.grammar(name)));
        opened.#parsers.set(name, parser);
      }
    } catch (cause) {
      throw new AppError(
        'construct',
        'grammar-failed',
        `The grammars (${names.join(', ')}) could not be loaded: ${messageOf(cause)}`,
        { cause },
      );
    }
    return opened;
  }

  /**
   * Hands a text's tree to `use` and frees it afterwards: trees live in WebAssembly memory, which no garbage collector
   * sees. Nodes must not outlive the call.
   */
  withTree<T>(name: GrammarName, text: string, use: (root: Node) => T): T {
    const parser = this.#parsers.get(name);
    if (parser === undefined)
      throw new AppError('construct', 'grammar-failed', `The grammar ${name} was not opened.`);
    let tree: Tree | null;
    try {
      tree = parser.parse(text);
    } finally {
      // After a failure the next parse would go on in the old text.
      parser.reset();
    }
    if (tree === null) throw new AppError('construct', 'grammar-failed', `The grammar ${name} gave no tree.`);
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  }

  /** Frees the parsers. */
  close(): void {
    for (const parser of this.#parsers.values()) parser.delete();
    this.#parsers.clear();
  }
}

/** A node's children without the holes that the binding's type allows. */
export function childrenOf(node: Node): Node[] {
  return node.children.filter((child): child is Node => child !== null);
}

/** A node's named children without the holes that the binding's type allows. */
export function namedChildrenOf(node: Node): Node[] {
  return node.namedChildren.filter((child): child is Node => child !== null);
}
