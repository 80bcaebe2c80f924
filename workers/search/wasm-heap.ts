import { AppError } from '../../src/domain/app-error.ts';

const PAGE_BYTES = 65_536;
const LARGEST_BYTES = 4 * 1024 * 1024 * 1024 - PAGE_BYTES;

/**
 * Places in one kernel memory, given out one after the other and given back all at once from a mark.
 * Views die when the memory grows: ask for them anew after each allocation.
 */
export class WasmHeap {
  readonly memory: WebAssembly.Memory;
  #next = 1_024;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
  }

  /** Returns the address of `bytes` fresh bytes (16-aligned, contents undefined). Throws `search-memory` when there are none. */
  allocate(bytes: number): number {
    const address = this.#next;
    const next = Math.ceil((address + bytes) / 16) * 16;
    const missing = next - this.memory.buffer.byteLength;
    if (next > LARGEST_BYTES || (missing > 0 && !this.#grow(missing))) {
      throw new AppError(
        'search',
        'search-memory',
        `The search needs ${Math.ceil(next / 1_048_576)} MiB in one thread and cannot have them. Use smaller blocks or fewer queries at a time.`,
      );
    }
    this.#next = next;
    return address;
  }

  /** The present end; {@link release} gives back everything after it. */
  mark(): number {
    return this.#next;
  }

  release(mark: number): void {
    this.#next = mark;
  }

  u8(address: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, address, length);
  }

  i32(address: number, length: number): Int32Array {
    return new Int32Array(this.memory.buffer, address, length);
  }

  u32(address: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, address, length);
  }

  f32(address: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, address, length);
  }

  f64(address: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, address, length);
  }

  #grow(bytes: number): boolean {
    try {
      this.memory.grow(Math.ceil(bytes / PAGE_BYTES));
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }
}
