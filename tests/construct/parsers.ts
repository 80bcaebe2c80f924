import { grammarFiles } from '../../cli/grammar-files.ts';
import type { GrammarName } from '../../src/construct/syntax/syntax-parsers.ts';
import { SyntaxParsers } from '../../src/construct/syntax/syntax-parsers.ts';

/** Parsers from the project's packages. */
export function openParsers(names: readonly GrammarName[] = ['python']): Promise<SyntaxParsers> {
  return SyntaxParsers.open(grammarFiles, names);
}
