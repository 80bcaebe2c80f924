/** JSON values to Python objects and back, by the C interface alone: no code of the candidate runs in between. */
import type { Machine } from './machine.ts';

/** Returns a new Python object for a JSON value (bigints allowed); arrays become lists, the outermost one a tuple on request. */
export function fromJson(machine: Machine, value: unknown, arrays: 'list' | 'tuple' = 'list'): number {
  if (value === null || value === undefined) return machine.address('_Py_NoneStruct');
  if (typeof value === 'boolean') return machine.call('PyBool_FromLong', value ? 1 : 0);
  if (typeof value === 'bigint')
    return machine.call('PyLong_FromString', machine.cString(String(value)), 0, 10);
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Object.is(value, -0)
      ? machine.call('PyLong_FromDouble', value)
      : machine.call('PyFloat_FromDouble', value);
  }
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value);
    return machine.call('PyUnicode_FromStringAndSize', machine.cString(value), bytes.length);
  }
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const sequence = machine.call(arrays === 'list' ? 'PyList_New' : 'PyTuple_New', items.length);
    const setter = arrays === 'list' ? 'PyList_SetItem' : 'PyTuple_SetItem';
    items.forEach((item, i) => machine.call(setter, sequence, i, fromJson(machine, item)));
    return sequence;
  }
  const dict = machine.call('PyDict_New');
  for (const [key, item] of Object.entries(value as object))
    machine.call('PyDict_SetItem', dict, fromJson(machine, key), fromJson(machine, item));
  return dict;
}

const LONG = 1 << 24;
const LIST = 1 << 25;
const TUPLE = 1 << 26;
const UNICODE = 1 << 28;
const DICT = 1 << 29;

/** Whether a Python object equals a JSON value: numbers by value, tuples as lists, dictionaries by text keys. */
export function matchesJson(machine: Machine, object: number, value: unknown, depth = 0): boolean {
  if (depth > 200) return false;
  if (object === machine.address('_Py_NoneStruct')) return value === null;
  const type = machine.word(object + 4);
  const flags = machine.call('PyType_GetFlags', type);
  if ((flags & LONG) !== 0) {
    const wanted = typeof value === 'boolean' ? Number(value) : value;
    if (typeof wanted !== 'number' && typeof wanted !== 'bigint') return false;
    const text = machine.call('_PyLong_Format', object, 10);
    const digits = machine.text(machine.call('PyUnicode_AsUTF8', text));
    return typeof wanted === 'bigint'
      ? BigInt(digits) === wanted
      : Number.isInteger(wanted) && BigInt(digits) === BigInt(wanted);
  }
  if (machine.call('PyType_IsSubtype', type, machine.address('PyFloat_Type')) === 1)
    return typeof value === 'number' && machine.call('PyFloat_AsDouble', object) === value;
  if ((flags & UNICODE) !== 0) return typeof value === 'string' && unicode(machine, object) === value;
  if ((flags & (LIST | TUPLE)) !== 0) {
    if (!Array.isArray(value)) return false;
    const [size, get] =
      (flags & LIST) !== 0
        ? (['PyList_Size', 'PyList_GetItem'] as const)
        : (['PyTuple_Size', 'PyTuple_GetItem'] as const);
    if (machine.call(size, object) !== value.length) return false;
    return value.every((item, i) => matchesJson(machine, machine.call(get, object, i), item, depth + 1));
  }
  if ((flags & DICT) !== 0) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const wanted = new Map(Object.entries(value));
    if (machine.call('PyDict_Size', object) !== wanted.size) return false;
    const cursor = machine.allocate(12);
    while (machine.call('PyDict_Next', object, cursor, cursor + 4, cursor + 8) !== 0) {
      const key = machine.word(cursor + 4);
      if ((machine.call('PyType_GetFlags', machine.word(key + 4)) & UNICODE) === 0) return false;
      const name = unicode(machine, key);
      if (
        name === undefined ||
        !wanted.has(name) ||
        !matchesJson(machine, machine.word(cursor + 8), wanted.get(name), depth + 1)
      )
        return false;
    }
    return true;
  }
  return false;
}

function unicode(machine: Machine, object: number): string | undefined {
  const size = machine.allocate(4);
  const pointer = machine.call('PyUnicode_AsUTF8AndSize', object, size);
  if (pointer === 0) {
    machine.call('PyErr_Clear');
    return undefined; // A lone surrogate: no JSON text equals it.
  }
  return new TextDecoder().decode(
    new Uint8Array(machine.memory.buffer).slice(pointer, pointer + machine.word(size)),
  );
}
