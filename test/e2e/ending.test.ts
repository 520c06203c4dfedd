import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../support/is-alive.ts';
import type { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

function proxy(server: readonly string[]): Running {
  return sandbox.clawai('proxy', '--policy', sandbox.write('policy.toml', '[defaults]\naction = "allow"\n'), '--', ...server);
}

function recorder(script: object = {}): string[] {
  return [
    process.execPath,
    support('recording-server.mjs'),
    sandbox.path('seen'),
    sandbox.write('script.json', JSON.stringify(script)),
  ];
}

function inline(code: string): string[] {
  return [process.execPath, sandbox.write('server.mjs', code)];
}

/** Resolves when the process has ended, even where its output is still held open. */
function untilGone(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
}

/** The code of a server that says this as a notification; what is no message would not reach the client. */
function say(params: string): string {
  return `console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/pids', params: ${params} }))`;
}

/** The pids that a server says first. */
async function pidsOf(clawai: Running): Promise<number[]> {
  const [line = ''] = await clawai.lines(1);
  return (JSON.parse(line) as { params: { pids: number[] } }).params.pids;
}

describe('the client closes our input', () => {
  it.each([0, 3, 255])('the server ends by itself with %i, and so do we', async (exit) => {
    const clawai = proxy(recorder({ exit }));
    clawai.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await clawai.lines(1);
    expect((await clawai.close()).code).toBe(exit);
  });

  it.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
    ['SIGSEGV', 139],
  ])('a server that dies from %s is reported as a shell does', async (die, code) => {
    const ended = await proxy(recorder({ die })).close();
    expect(ended).toMatchObject({ code, signal: null });
  });

  it('what the server still says after the end of its input arrives', async () => {
    const last = '{"jsonrpc":"2.0","method":"x"}\n';
    const server = inline(
      `process.stdin.resume().on('end', () => setTimeout(() => process.stdout.write(${JSON.stringify(last)}.repeat(5000)), 100));`,
    );
    expect((await proxy(server).close()).stdout).toBe(last.repeat(5000));
  });

  it('a server that does not end is given two seconds, then made to', async () => {
    const clawai = proxy([process.execPath, support('stubborn-server.mjs')]);
    const pids = await pidsOf(clawai);
    const started = performance.now();
    await clawai.close();
    expect(performance.now() - started).toBeGreaterThan(1900);
    expect((await clawai.ended).code).toBe(137);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  it('ends a server that listens to it at once, with its code', async () => {
    const clawai = proxy(inline(`process.on('${signal}', () => process.exit(7)); setInterval(() => {}, 1000); ${say('{}')};`));
    await clawai.lines(1);
    clawai.kill(signal);
    expect((await clawai.ended).code).toBe(7);
  });

  it('ends a server that ignores all signals, with what it has started', async () => {
    const clawai = proxy([process.execPath, support('stubborn-server.mjs')]);
    const pids = await pidsOf(clawai);
    expect(pids.filter(isAlive)).toEqual(pids);
    clawai.kill(signal);
    expect((await clawai.ended).code).toBe(137);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('ends what a server has started and left behind', async () => {
    const server = inline(`
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, [${JSON.stringify(support('stubborn-server.mjs'))}, 'grandchild'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      child.once('message', () => ${say('{ pids: [child.pid] }')});
      process.on('${signal}', () => process.exit(5));`);
    const clawai = proxy(server);
    const pids = await pidsOf(clawai);
    clawai.kill(signal);
    expect((await clawai.ended).code).toBe(5);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('ends everything although the client has stopped reading', async () => {
    const clawai = proxy([process.execPath, support('stubborn-server.mjs'), 'flood']);
    const pids = await pidsOf(clawai);
    clawai.output.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const exited = untilGone(clawai.pid);
    clawai.kill(signal);
    await exited;
    expect(pids.filter(isAlive)).toEqual([]);
    clawai.output.resume();
    await clawai.ended;
  });
});

describe('the server ends', () => {
  it('by itself, while the client has more to say: we end at once', async () => {
    const clawai = proxy(inline(`${say('{}')}; process.exitCode = 4;`));
    await clawai.lines(1);
    expect(await clawai.ended).toMatchObject({ code: 4, stdout: expect.stringContaining('notifications/pids') });
  });

  it('and what it said last waits for a client that is slow', async () => {
    const size = 200_000;
    const clawai = proxy(inline(`${say(`'x'.repeat(${size})`)}; process.stderr.write('said'); `));
    clawai.output.pause();
    await clawai.until(() => clawai.stderr === 'said');
    await new Promise((resolve) => setTimeout(resolve, 900));
    clawai.output.resume();
    const { code, stdout } = await clawai.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ params: 'x'.repeat(size) });
  });

  it('and leaves behind what holds its output open: we do not wait for that', async () => {
    const clawai = proxy(
      inline(`
        import { spawn } from 'node:child_process';
        const child = spawn('sleep', ['300'], { stdio: ['ignore', 'inherit', 'ignore'] });
        child.once('spawn', () => { ${say('{ pids: [child.pid] }')}; process.exit(6); });`),
    );
    const [pid] = await pidsOf(clawai);
    await untilGone(clawai.pid);
    process.kill(Number(pid), 'SIGKILL');
    expect((await clawai.ended).code).toBe(6);
  });

  it('hazard 18: and leaves such a thing behind and a call unanswered: the call is answered', async () => {
    const clawai = proxy(
      inline(`
        import { spawn } from 'node:child_process';
        process.stdin.once('data', () => {
          const child = spawn('sleep', ['300'], { stdio: ['ignore', 'inherit', 'ignore'] });
          child.once('spawn', () => { ${say('{ pids: [child.pid] }')}; process.exit(6); });
        });`),
    );
    clawai.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const [first = '', second = ''] = await clawai.lines(2);
    const { pids } = (JSON.parse(first) as { params: { pids: number[] } }).params;
    process.kill(Number(pids[0]), 'SIGKILL');
    expect(JSON.parse(second)).toMatchObject({ id: 1, error: { code: -32603 } });
    expect((await clawai.ended).code).toBe(6);
  });

  it('hazard 18: without a line feed behind its last words: what follows them is a line of its own', async () => {
    const clawai = proxy(
      inline(`process.stdin.once('data', () => {
        process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}', () => process.exit());
      });`),
    );
    clawai.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    const { stdout } = await clawai.ended;
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(answers).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32603 } },
    ]);
  });

  it('from a signal of somebody else', async () => {
    const clawai = proxy(inline(`${say('{ pids: [process.pid] }')}; setInterval(() => {}, 1000);`));
    const [pid = 0] = await pidsOf(clawai);
    process.kill(pid, 'SIGKILL');
    expect((await clawai.ended).code).toBe(137);
  });
});

describe('the client vanishes', () => {
  it('with both pipes: the server is given its time, then all of it ends', async () => {
    const clawai = proxy([process.execPath, support('stubborn-server.mjs'), 'flood']);
    const pids = await pidsOf(clawai);
    clawai.stdin.destroy();
    clawai.output.destroy();
    await clawai.ended;
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
