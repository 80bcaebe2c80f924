/**
 * CPython's own trampoline for Emscripten: C functions are called through pointers of another signature, which wasm
 * forbids; this small module asks for the real signature and calls accordingly. Without it (an engine that lacks wasm's
 * garbage-collection types) the slower call through JavaScript is used, with the same results.
 *
 * Bytes: Python/emscripten_trampoline_inner.c of CPython 3.14 (PSF licence), as compiled for the pyodide package.
 */
const TRAMPOLINE =
  'AGFzbQEAAAABIAVgA39/fwF/YAJ/fwF/YAF/AX9gAAF/YAV/f39/fwF/AjECA2VudgZtZW1vcnkCAAEDZW52GV9faW5kaXJlY3RfZnVuY3Rpb25fdGFibGUBcAABAwIBBAcTAQ90cmFtcG9saW5lX2NhbGwAAApgAV4AIABBATYCACABJQD7FAAEQCACIAMgBCABEQAADwsgASUA+xQBBEAgAiADIAERAQAPCyABJQD7FAIEQCACIAERAgAPCyABJQD7FAMEQCABEQMADwsgAEEANgIAQQAL';

/**
 * Puts the trampoline into the interpreter's table.
 *
 * @returns its index there, or 0 where the engine does not take it
 */
export function installTrampoline(memory: WebAssembly.Memory, table: WebAssembly.Table): number {
  let module: WebAssembly.Module;
  try {
    module = new WebAssembly.Module(Uint8Array.from(atob(TRAMPOLINE), (c) => c.charCodeAt(0)));
  } catch (thrown) {
    if (thrown instanceof WebAssembly.CompileError) return 0;
    throw thrown;
  }
  const { exports } = new WebAssembly.Instance(module, { env: { memory, __indirect_function_table: table } });
  const index = table.grow(1);
  table.set(index, exports['trampoline_call']);
  return index;
}
