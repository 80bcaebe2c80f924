import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { GrammarFiles } from '../src/construct/syntax/syntax-parsers.ts';
import { projectRoot } from './project-root.ts';

/** The grammars as the project's packages hold them. */
export const grammarFiles: GrammarFiles = {
  runtime: () => readFile(path.join(projectRoot, 'node_modules/web-tree-sitter/web-tree-sitter.wasm')),
  grammar: (name) =>
    readFile(path.join(projectRoot, `node_modules/@repomix/tree-sitter-wasms/out/tree-sitter-${name}.wasm`)),
};
