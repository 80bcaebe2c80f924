import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { runInPage } from '../../cli/browser/page-session.ts';

it('refuses a profile that another process holds before anything is started that would have to be closed', async () => {
  const profileFolder = mkdtempSync(path.join(tmpdir(), 'assay-session-'));
  const listen = vi.spyOn(createServer().constructor.prototype as { listen(): unknown }, 'listen');
  try {
    writeFileSync(path.join(profileFolder, 'assay.lock'), String(process.pid));
    await expect(runInPage({} as never, { profileFolder })).rejects.toMatchObject({ code: 'folder-in-use' });
    expect(listen).not.toHaveBeenCalled();
  } finally {
    listen.mockRestore();
    rmSync(profileFolder, { recursive: true, force: true });
  }
});
