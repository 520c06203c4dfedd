import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../support/is-alive.ts';
import type { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

const ALLOW = '[defaults]\naction = "allow"\n';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

function recorder(script: object = {}): string[] {
  return [
    process.execPath,
    support('recording-server.mjs'),
    sandbox.path('seen'),
    sandbox.write('script.json', JSON.stringify(script)),
  ];
}

function proxy(server: readonly string[], flags: readonly string[] = []): Running {
  return sandbox.clawai('proxy', '--policy', sandbox.write('policy.toml', ALLOW), ...flags, '--', ...server);
}

/** Resident memory in MiB; 0 for a process that is gone. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe('hazard 20: a server that prints more than a library would buffer', () => {
  const FLOOD = 'const line = JSON.stringify({ jsonrpc: "2.0", method: "x", params: "y".repeat(LENGTH) }) + "\\n";';

  it.skipIf(process.platform !== 'linux')(
    '120 MB pass, and memory stays bounded while the client does not read',
    { tags: 'long' },
    async () => {
      const server = sandbox.write(
        'flood.mjs',
        `${FLOOD.replace('LENGTH', '1000')} for (let sent = 0; sent < 120e6; sent += line.length) process.stdout.write(line);`,
      );
      const clawai = proxy([process.execPath, server]);
      let received = 0;
      let most = 0;
      clawai.output.removeAllListeners('data');
      clawai.output.on('data', (chunk: Buffer) => {
        received += chunk.length;
        most = Math.max(most, memoryOf(clawai.pid));
      });
      clawai.output.pause();
      await new Promise((resolve) => setTimeout(resolve, 700));
      most = Math.max(most, memoryOf(clawai.pid));
      expect(received).toBe(0);
      clawai.output.resume();
      expect((await clawai.ended).code).toBe(0);
      expect(received).toBeGreaterThanOrEqual(120e6);
      expect(most).toBeGreaterThan(20);
      expect(most).toBeLessThan(200);
    },
  );
});

describe('a server that answers as fast as it is asked', () => {
  it('never waits for us while we wait for it, when both pipes are full', async () => {
    const count = 60_000;
    const server = sandbox.write(
      'polite.mjs',
      `process.stdin.on('data', (chunk) => {
        if (process.stdout.write(chunk)) return;
        process.stdin.pause();
        process.stdout.once('drain', () => process.stdin.resume());
      });`,
    );
    const clawai = proxy([process.execPath, server]);
    clawai.send('{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"0123456789"}}\n'.repeat(count));
    const { code, stdout } = await clawai.close();
    expect(code).toBe(0);
    expect(stdout.split('\n').length - 1).toBe(count);
  });
});

describe('hazard 22: stdout carries MCP only', () => {
  it("the server's stderr passes untouched, and our own lines there begin with our name", async () => {
    // No policy of the user's own: that is said once.
    const clawai = sandbox.clawai('proxy', '--', ...recorder({ stderr: 'server: started\n' }));
    clawai.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await clawai.lines(1);
    const { stdout, stderr } = await clawai.close();
    expect(stdout).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toContain('server: started');
    const ours = lines.filter((line) => line !== 'server: started');
    expect(ours).toEqual([expect.stringMatching(/^clawai: .*policy/)]);
  });

  it('a mistake in the command line leaves stdout empty', async () => {
    const { stdout, stderr, code } = await sandbox.clawai('proxy', '--server').close();
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(/^clawai: /);
  });
});

describe("hazard 23: what stands behind -- is the server's", () => {
  it.each(['-h', '--help', '--version', '-v', '--policy', '--polciy'])(
    '%s behind -- reaches the server as it is',
    async (flag) => {
      const server = sandbox.write('args.mjs', 'process.stderr.write(JSON.stringify(process.argv.slice(2)));');
      const { stderr, stdout, code } = await proxy([process.execPath, server, flag, '--', 'x']).ended;
      expect({ stderr, stdout, code }).toEqual({ stderr: JSON.stringify([flag, '--', 'x']), stdout: '', code: 0 });
    },
  );

  it('a misspelt flag before -- is an error, and nothing is started', async () => {
    const mark = sandbox.path('seen');
    const { code, stdout, stderr } = await sandbox.clawai('proxy', '--polciy', 'strict.toml', '--', ...recorder()).close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('unknown flag --polciy');
    expect(stderr).toContain('did you mean --policy?');
    expect(existsSync(mark)).toBe(false);
  });

  it('-h before -- is help, on stdout, where nobody speaks MCP then, and nothing is started', async () => {
    const { code, stdout, stderr } = await sandbox.clawai('proxy', '-h', '--', ...recorder()).close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('--policy');
    expect(existsSync(sandbox.path('seen'))).toBe(false);
  });

  it('--version belongs to clawai itself, not to the proxy', async () => {
    const { code } = await sandbox.clawai('proxy', '--version', '--', ...recorder()).close();
    expect(code).toBe(2);
    expect(existsSync(sandbox.path('seen'))).toBe(false);
  });
});

describe('hazard 24: a process that is started only to be asked once', () => {
  const PROBE =
    '{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}\n';
  const ANSWER = '{"jsonrpc":"2.0","id":"server-discover-probe-1","error":{"code":-32601,"message":"Method not found"}}\n';

  /** What is in the user's folders, apart from compiled code. */
  const leftBehind = (): string[] =>
    [...readdirSync(sandbox.home), ...readdirSync(sandbox.folder)].filter(
      (name) => !['home', 'cache', 'seen', 'script.json', 'policy.toml', 'pid.mjs'].includes(name),
    );

  it('answers the probe as the server does; nothing is written while nothing is decided', async () => {
    const clawai = proxy(recorder({ answers: [ANSWER] }));
    clawai.send(PROBE);
    await clawai.lines(1);
    expect(clawai.stdout.toString()).toBe(ANSWER);
    expect(leftBehind()).toEqual([]);
    clawai.kill('SIGTERM');
    const { stderr } = await clawai.ended;
    expect(stderr).toBe('');
  });

  it('may be killed outright after its answer: no error, nothing left, the server gone', async () => {
    const server = sandbox.write(
      'pid.mjs',
      `process.stderr.write(String(process.pid)); process.stdin.once('data', () => process.stdout.write(${JSON.stringify(ANSWER)}));`,
    );
    const clawai = proxy([process.execPath, server]);
    clawai.send(PROBE);
    await clawai.lines(1);
    const pid = Number(clawai.stderr);
    clawai.kill('SIGKILL');
    await clawai.ended;
    expect(leftBehind()).toEqual([]);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('the conversation goes on where the same process is kept', async () => {
    const clawai = proxy(recorder({ answers: [ANSWER] }));
    clawai.send(PROBE);
    clawai.send('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n');
    expect((await clawai.lines(2))[1]).toBe('{"jsonrpc":"2.0","id":0,"result":{}}');
    expect((await clawai.close()).code).toBe(0);
  });
});
