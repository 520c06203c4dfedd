import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hookUrl, loadHooks } from '../../src/remote/served-hook.ts';

it('a hook has a secret of its own, and keeps it', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'clawai-hooks-'));
  try {
    const [hook] = loadHooks({ stateDir });
    expect(hook).toEqual({ client: 'claude-code', secret: expect.stringMatching(/^[\w-]{22}$/) });
    expect(loadHooks({ stateDir })).toEqual([hook]);
    const other = join(stateDir, 'other');
    expect(loadHooks({ stateDir: other })[0]?.secret).not.toBe(hook?.secret);
  } finally {
    rmSync(stateDir, { recursive: true });
  }
});

it('its URL has the client and the secret', () => {
  expect(hookUrl('http://127.0.0.1:8787', { client: 'claude-code', secret: 's' })).toBe(
    'http://127.0.0.1:8787/hook/claude-code/s',
  );
});
