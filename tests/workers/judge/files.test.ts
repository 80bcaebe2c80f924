import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERRNO, FileError, Files, OPEN } from '../../../workers/judge/python/files.ts';

const LIBRARY = new TextEncoder().encode('the library');

function makeFiles(): Files {
  return new Files(new Map([['/lib/library.zip', LIBRARY]]), '/home/candidate');
}

function errnoOf(action: () => unknown): number {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof FileError) return thrown.errno;
    throw thrown;
  }
  return 0;
}

function readAll(files: Files, path: string): string {
  const fd = files.open(files.resolve(path), 0, 0);
  const target = new Uint8Array(100_000);
  const count = files.read(files.stream(fd), target);
  files.close(fd);
  return new TextDecoder().decode(target.subarray(0, count));
}

function write(
  files: Files,
  path: string,
  text: string,
  flags: number = OPEN.WRITE_ONLY | OPEN.CREATE | OPEN.TRUNCATE,
): void {
  const fd = files.open(files.resolve(path), flags, 0o644);
  files.write(files.stream(fd), new TextEncoder().encode(text));
  files.close(fd);
}

describe('files of a candidate', () => {
  test('what is written is read, appended, cut and gone after a reset', () => {
    const files = makeFiles();
    write(files, 'a.txt', 'one');
    write(files, 'a.txt', ' two', OPEN.WRITE_ONLY | OPEN.APPEND);
    expect(readAll(files, '/home/candidate/a.txt')).toBe('one two');
    files.truncate(files.find('/home/candidate/a.txt'), 2);
    expect(readAll(files, 'a.txt')).toBe('on');
    files.reset();
    expect(errnoOf(() => files.find('/home/candidate/a.txt'))).toBe(ERRNO.ENOENT);
  });

  test('writing into a baseline file leaves the baseline’s bytes alone', () => {
    const files = makeFiles();
    write(files, '/lib/library.zip', 'THE', OPEN.READ_WRITE);
    expect(readAll(files, '/lib/library.zip')).toBe('THE library');
    expect(new TextDecoder().decode(LIBRARY)).toBe('the library');
    files.reset();
    expect(readAll(files, '/lib/library.zip')).toBe('the library');
  });

  test('folders: made, listed, renamed, only removed when empty', () => {
    const files = makeFiles();
    files.makeDirectory('/tmp/a');
    write(files, '/tmp/a/x', 'x');
    expect(errnoOf(() => files.makeDirectory('/tmp/a'))).toBe(ERRNO.EEXIST);
    expect(errnoOf(() => files.remove('/tmp/a', 'folder'))).toBe(ERRNO.ENOTEMPTY);
    expect(errnoOf(() => files.rename('/tmp/a', '/tmp/a/b'))).toBe(ERRNO.EINVAL);
    files.rename('/tmp/a', '/tmp/b');
    expect(readAll(files, '/tmp/b/x')).toBe('x');
    files.remove('/tmp/b/x', 'file');
    files.remove('/tmp/b', 'folder');
    expect(errnoOf(() => files.find('/tmp/b'))).toBe(ERRNO.ENOENT);
  });

  test('errors are the C library’s', () => {
    const files = makeFiles();
    expect(errnoOf(() => files.open('/nowhere/x', OPEN.CREATE | OPEN.WRITE_ONLY, 0))).toBe(ERRNO.ENOENT);
    expect(errnoOf(() => files.open('/tmp', OPEN.WRITE_ONLY, 0))).toBe(ERRNO.EISDIR);
    expect(errnoOf(() => files.open('/lib/library.zip', OPEN.DIRECTORY, 0))).toBe(ERRNO.ENOTDIR);
    expect(errnoOf(() => files.open('/lib/library.zip', OPEN.CREATE | OPEN.EXCLUSIVE, 0))).toBe(ERRNO.EEXIST);
    expect(errnoOf(() => files.find('/lib/library.zip/x'))).toBe(ERRNO.ENOTDIR);
    expect(errnoOf(() => files.find(`/${'x'.repeat(300)}`))).toBe(ERRNO.ENAMETOOLONG);
    expect(errnoOf(() => files.stream(99))).toBe(ERRNO.EBADF);
    expect(errnoOf(() => files.seek(files.stream(1), 0, 0))).toBe(ERRNO.ESPIPE);
  });

  test('a candidate may keep 32 MiB and 1,024 open files, no more', () => {
    const files = makeFiles();
    const fd = files.open('/tmp/big', OPEN.WRITE_ONLY | OPEN.CREATE, 0);
    const block = new Uint8Array(1024 * 1024);
    expect(
      errnoOf(() => {
        for (let i = 0; i < 100; i++) files.write(files.stream(fd), block);
      }),
    ).toBe(ERRNO.ENOSPC);
    expect(
      errnoOf(() => {
        for (let i = 0; i < 2_000; i++) files.open('/dev/null', 0, 0);
      }),
    ).toBe(ERRNO.EMFILE);
    files.reset();
    expect(files.open('/dev/null', 0, 0)).toBe(3);
  });

  test('a path never leads out of the tree', () => {
    const part = fc.constantFrom('..', '.', '', 'tmp', 'a', 'etc', 'home');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, absolute) => {
        const resolved = makeFiles().resolve((absolute ? '/' : '') + parts.join('/'));
        expect(resolved).toMatch(/^\//u);
        expect(resolved.split('/')).not.toContain('..');
      }),
    );
  });

  test('reading gives what was written, in any pieces at any places', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(2_000), bytes: fc.uint8Array({ maxLength: 300 }) }), {
          maxLength: 12,
        }),
        (writes) => {
          const files = makeFiles();
          const fd = files.open('/tmp/x', OPEN.READ_WRITE | OPEN.CREATE, 0);
          const model = new Uint8Array(3_000);
          let size = 0;
          for (const { at, bytes } of writes) {
            files.write(files.stream(fd), bytes, at);
            model.set(bytes, at);
            size = Math.max(size, at + bytes.length);
          }
          const target = new Uint8Array(3_000);
          const count = files.read(files.stream(fd), target, 0);
          expect(count).toBe(size);
          expect(Buffer.compare(target.subarray(0, count), model.subarray(0, size))).toBe(0);
        },
      ),
    );
  });
});
