import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fingerprintOf } from '../../../../src/core/registry/fingerprint.ts';
import { register, sighted } from '../../../support/registered.ts';
import { runCli } from '../../../support/run-cli.ts';

let state = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-known-tools-'));
});
afterEach(() => rmSync(state, { recursive: true }));

describe('clawai policy lint --registry', () => {
  it('holds names against what servers have listed', async () => {
    mkdirSync(join(state, 'clawai'));
    const text = JSON.stringify({ inputSchema: { properties: { path: {} }, type: 'object' }, name: 'read_file' });
    register(join(state, 'clawai', 'clawai.db'), (registry) => {
      const seen = { kind: 'tool', name: 'read_file', text, fingerprint: fingerprintOf(text) } as const;
      registry.write('files', [{ ...sighted('read_file', ''), seen }], Date.parse('2026-03-01T12:00:00Z'));
    });
    writeFileSync(join(state, 'p.toml'), '[[rule]]\naction = "deny"\ntool = "read_file"\nargs.file = "/etc/**"\n');
    const { code, stdout } = await runCli(['policy', 'lint', '--policy', join(state, 'p.toml'), '--registry'], {
      env: { XDG_STATE_HOME: state },
    });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/p\.toml:4:6: warning: no known tool .*"file".*\n.*\n.*\n.*did you mean "path"\?/),
    ]);
  });

  it('says so where none has listed anything', async () => {
    writeFileSync(join(state, 'p.toml'), '[[rule]]\naction = "deny"\ntool = "x"\n');
    const { code, stderr } = await runCli(['policy', 'lint', '--policy', join(state, 'p.toml'), '--registry'], {
      env: { XDG_STATE_HOME: state },
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining('no server has listed anything yet')]);
  });
});
