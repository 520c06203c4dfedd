import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Running } from '../../support/running.ts';
import { support } from '../../support/sandbox.ts';
import { query } from '../../support/stored.ts';

const PROCESSES = 6;
/** Of each; no process alone empties the bucket. */
const CALLS = 100;
const BURST = { server: 260, tool: 210 };
/** The next token comes in 1,000 minutes. */
const POLICY = `[defaults]
action = "allow"
[rate_limits]
enabled = true
[rate_limits.server.web]
rpm = 0.001
burst = ${BURST.server}
[rate_limits.server.web.tool.search]
rpm = 0.001
burst = ${BURST.tool}
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-rates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('many processes', () => {
  it('hazard 38: share one bucket: of their simultaneous calls as many go on as it holds, not one more or less', async () => {
    const file = join(folder, 'clawai.db');
    const running = Array.from(
      { length: PROCESSES },
      () => new Running([process.execPath, support('rate-process.mjs'), file, POLICY, String(CALLS)], { env: {}, cwd: folder }),
    );
    await Promise.all(running.map((one) => one.lines(1)));
    for (const one of running) one.send('\n');
    const ended = await Promise.all(running.map((one) => one.ended));
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: '' })));
    const passed = ended.map(({ stdout }) => Number(stdout.split('\n')[1]));
    expect(passed.reduce((sum, one) => sum + one, 0)).toBe(BURST.tool);
    expect(query(file, 'SELECT action, count(*) AS n FROM events GROUP BY action')).toEqual([
      { action: 'allow', n: BURST.tool },
      { action: 'block', n: PROCESSES * CALLS - BURST.tool },
    ]);
    // The tool's bucket is empty, and the server's has what is left.
    const buckets = query(file, "SELECT key, value FROM state WHERE scope = 'rate' ORDER BY key");
    const tokens = buckets.map(({ key, value }) => [key, Math.floor((JSON.parse(String(value)) as number[])[0] ?? -1)]);
    expect(tokens).toEqual([
      ['["web","search"]', 0],
      ['["web"]', BURST.server - BURST.tool],
    ]);
  });
});
