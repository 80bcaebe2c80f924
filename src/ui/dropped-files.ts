/** Returns every file in what was dropped, folders walked, each with its path. */
export async function droppedFiles(transfer: DataTransfer): Promise<{ files: File[]; paths: string[] }> {
  // Entries must be taken before the first await: the list is emptied when the event has been handled.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: File[] = [];
  const paths: string[] = [];
  for (const entry of entries) await walk(entry, '', files, paths);
  return { files, paths };
}

async function walk(entry: FileSystemEntry, folder: string, files: File[], paths: string[]): Promise<void> {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isFile) {
    files.push(
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    );
    paths.push(path);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives at most a hundred entries at a time, and an empty list at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, path, files, paths);
  }
}
