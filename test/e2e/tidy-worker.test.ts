import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { ROOT } from '../support/run-cli.ts';
import { storedEvent, storedIds } from '../support/stored.ts';

it('the thread that tidies the store runs from the bundle, with no other file of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  try {
    const file = join(folder, 'clawai.db');
    const store = new SqliteStore({ file, writerVersion: '1', sync: 'normal' });
    for (const id of ['a', 'b', 'c']) {
      store.begin();
      store.append(storedEvent(id));
      store.commit();
    }
    expect(readdirSync(join(ROOT, 'dist'))).toContain('tidy-worker.mjs');
    const worker = new Worker(pathToFileURL(join(ROOT, 'dist', 'tidy-worker.mjs')), {
      workerData: { file, retention: { retain: 0, maxSize: Number.POSITIVE_INFINITY } },
    });
    expect(await once(worker, 'exit')).toEqual([0]);
    expect(storedIds(file)).toEqual(['c']);
    expect(statSync(`${file}-wal`).size).toBeLessThan(20_000);
    store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
