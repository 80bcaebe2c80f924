import type { GrammarName } from '../syntax/syntax-parsers.ts';

/** How a file is cut. */
export type FileKind =
  | { readonly kind: 'code'; readonly language: string; readonly grammar: GrammarName }
  | { readonly kind: 'headings'; readonly language: 'markdown' | 'restructuredtext' }
  | { readonly kind: 'text'; readonly language: string };

/** The paper's eleven languages with their extensions; headers count as C++ where the repository has C++ (see {@link kindOf}). */
const CODE: Readonly<Record<string, readonly [string, GrammarName]>> = {
  py: ['python', 'python'],
  pyi: ['python', 'python'],
  go: ['go', 'go'],
  js: ['javascript', 'javascript'],
  mjs: ['javascript', 'javascript'],
  cjs: ['javascript', 'javascript'],
  jsx: ['javascript', 'javascript'],
  ts: ['typescript', 'typescript'],
  mts: ['typescript', 'typescript'],
  cts: ['typescript', 'typescript'],
  tsx: ['typescript', 'tsx'],
  rs: ['rust', 'rust'],
  java: ['java', 'java'],
  c: ['c', 'c'],
  h: ['c', 'c'],
  cc: ['cpp', 'cpp'],
  cpp: ['cpp', 'cpp'],
  cxx: ['cpp', 'cpp'],
  hh: ['cpp', 'cpp'],
  hpp: ['cpp', 'cpp'],
  hxx: ['cpp', 'cpp'],
  rb: ['ruby', 'ruby'],
  rake: ['ruby', 'ruby'],
  php: ['php', 'php'],
  swift: ['swift', 'swift'],
};
const HEADINGS: Readonly<Record<string, 'markdown' | 'restructuredtext'>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  rst: 'restructuredtext',
};
/** Text that a developer edits but that has no grammar here: cut by the text splitter. */
const TEXT = new Set(
  'txt adoc sh bash zsh ps1 css scss less html htm vue svelte sql kt kts scala cs fs ml hs ex exs erl clj lua pl pm r jl dart m mm proto thrift graphql toml yaml yml ini cfg conf cmake mk gradle xml tf json'.split(
    ' ',
  ),
);
/** Made by tools, or data: never a place that a request is about. */
const GENERATED =
  /(^|\/)(node_modules|vendor|third_party|dist|build|__snapshots__|\.git)\/|(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|go\.sum)$|\.min\.(js|css)$|\.(map|snap|lock)$|[._]pb2?(_grpc)?\.(py|go|rb|cc|h)$|\.generated\./i;

/** How the file at this path is cut, or undefined when files of its kind are left out. */
export function kindOf(path: string): FileKind | undefined {
  if (GENERATED.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  const code = Object.hasOwn(CODE, extension) ? CODE[extension] : undefined;
  if (code !== undefined) return { kind: 'code', language: code[0], grammar: code[1] };
  const headings = Object.hasOwn(HEADINGS, extension) ? HEADINGS[extension] : undefined;
  if (headings !== undefined) return { kind: 'headings', language: headings };
  if (TEXT.has(extension)) return { kind: 'text', language: extension === 'txt' ? 'text' : extension };
  if (/^(makefile|dockerfile|rakefile|gemfile|cmakelists\.txt)$/.test(name))
    return { kind: 'text', language: name };
  return undefined;
}

/** Every grammar that {@link kindOf} can name. */
export const ALL_GRAMMARS: readonly GrammarName[] = [
  ...new Set(Object.values(CODE).map(([, grammar]) => grammar)),
];

/** Node types that are a unit of code by themselves, in any of the eleven languages. */
export const DEFINITIONS: ReadonlySet<string> = new Set([
  // Python, Go, JavaScript, TypeScript
  'function_definition',
  'decorated_definition',
  'class_definition',
  'function_declaration',
  'method_declaration',
  'type_declaration',
  'generator_function_declaration',
  'class_declaration',
  'abstract_class_declaration',
  'method_definition',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
  'export_statement',
  'internal_module',
  'lexical_declaration',
  // Rust
  'function_item',
  'impl_item',
  'struct_item',
  'enum_item',
  'trait_item',
  'mod_item',
  'macro_definition',
  // Java, C, C++
  'constructor_declaration',
  'record_declaration',
  'annotation_type_declaration',
  'class_specifier',
  'struct_specifier',
  'enum_specifier',
  'type_definition',
  'namespace_definition',
  'template_declaration',
  // Ruby, PHP, Swift
  'method',
  'singleton_method',
  'class',
  'module',
  'trait_declaration',
  'namespace_definition',
  'protocol_declaration',
  'init_declaration',
  'extension_declaration',
]);
