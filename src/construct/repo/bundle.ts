import git, { type FsClient } from 'isomorphic-git';
import { AppError, messageOf } from '../../domain/app-error.ts';

/** What a git bundle says before its pack. */
export interface BundleHeader {
  readonly refs: readonly { readonly id: string; readonly name: string }[];
  /** Commits that the bundle builds on and does not hold. */
  readonly prerequisites: readonly string[];
  /** Where the pack begins, in bytes. */
  readonly packStart: number;
  /** Objects that the pack's own header counts. */
  readonly objects: number;
}

/** Reads the header of a version 2 or 3 bundle. Throws `bundle-invalid`. */
export function readBundleHeader(bytes: Uint8Array): BundleHeader {
  const refs: { id: string; name: string }[] = [];
  const prerequisites: string[] = [];
  let at = 0;
  for (let number = 1; ; number++) {
    const end = bytes.indexOf(10, at);
    if (end < 0) throw invalid('its header does not end');
    const line = new TextDecoder().decode(bytes.subarray(at, end));
    at = end + 1;
    if (number === 1) {
      if (!/^# v[23] git bundle$/.test(line)) throw invalid(`its first line is "${line.slice(0, 40)}"`);
      continue;
    }
    if (line === '') break;
    if (line.startsWith('@')) {
      if (/^@object-format=(?!sha1$)/.test(line))
        throw invalid(`it uses ${line.slice(1)}, only sha1 can be read`);
      if (line.startsWith('@filter=')) throw invalid(`it is a partial clone (${line.slice(1)})`);
      continue;
    }
    const match = /^(-?)([0-9a-f]{40})(?: (.*))?$/.exec(line);
    if (match === null) throw invalid(`line ${number} of its header is "${line.slice(0, 60)}"`);
    if (match[1] === '-') prerequisites.push(match[2] as string);
    else refs.push({ id: match[2] as string, name: match[3] ?? '' });
  }
  if (new TextDecoder().decode(bytes.subarray(at, at + 4)) !== 'PACK')
    throw invalid('no pack follows its header');
  return {
    refs,
    prerequisites,
    packStart: at,
    objects: new DataView(bytes.buffer, bytes.byteOffset + at + 8).getUint32(0),
  };
}

/** Unpacks a bundle into an empty folder of `fs` as a bare repository. Throws `bundle-invalid`, `bundle-incomplete`. */
export async function unpackBundle(
  fs: FsClient & BundleWriter,
  gitdir: string,
  bytes: Uint8Array,
): Promise<void> {
  const { refs, prerequisites, packStart, objects } = readBundleHeader(bytes);
  if (prerequisites.length > 0)
    throw new AppError(
      'construct',
      'bundle-incomplete',
      `The bundle builds on commits that it does not hold: ${prerequisites.join(', ')}. Make one with the whole history: git bundle create all.bundle --all.`,
    );
  await git.init({ fs, gitdir, dir: gitdir, bare: true });
  const pack = 'objects/pack/pack-bundle.pack';
  await fs.promises.mkdir(`${gitdir}/objects/pack`, { recursive: true });
  await fs.promises.writeFile(`${gitdir}/${pack}`, bytes.subarray(packStart));
  let found: number;
  try {
    found = (await git.indexPack({ fs, dir: gitdir, gitdir, filepath: pack })).oids.length;
  } catch (cause) {
    throw invalid(`its pack cannot be read: ${messageOf(cause)}`, cause);
  }
  // A pack cut short, or one that builds on objects elsewhere, is indexed without complaint.
  if (found !== objects)
    throw new AppError(
      'construct',
      'bundle-incomplete',
      `The bundle's pack holds ${found} of ${objects} objects. Make one with the whole history: git bundle create all.bundle --all.`,
    );
  for (const { id, name } of refs)
    await git.writeRef({
      fs,
      gitdir,
      ref: name === 'HEAD' ? 'refs/heads/bundle-head' : name,
      value: id,
      force: true,
    });
  const head =
    refs.find(({ name }) => name === 'HEAD') ?? refs.find(({ name }) => name.startsWith('refs/heads/'));
  if (head !== undefined)
    await git.writeRef({
      fs,
      gitdir,
      ref: 'HEAD',
      value: head.name === 'HEAD' ? 'refs/heads/bundle-head' : head.name,
      symbolic: true,
      force: true,
    });
}

/** What unpacking writes with. */
export interface BundleWriter {
  readonly promises: {
    mkdir(path: string, options: { readonly recursive: true }): Promise<unknown>;
    writeFile(path: string, bytes: Uint8Array): Promise<void>;
  };
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError('construct', 'bundle-invalid', `This is no git bundle that can be read: ${why}.`, {
    cause,
  });
}
