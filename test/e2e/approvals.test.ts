import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { type Answer, StoreHolder } from '../support/guarded.ts';
import { question } from '../support/questions.ts';
import type { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { waitingCalls } from '../support/waiting-calls.ts';
import { SqliteQuestions } from '../../src/store/approval-store.ts';

const sandbox = useSandbox();

const POLICY = `
[approval]
timeout = "20s"
channels = ["terminal"]
[[rule]]
id = "danger"
action = "prompt"
tool = "danger*"
description = "Ask before danger"
[[rule]]
action = "allow"
tool = "**"
`;

/** A client that has a server behind the real binary. */
class Client {
  readonly process: Running;

  constructor(policy = POLICY, name = 's') {
    const file = sandbox.current.write(`policy-${name}.toml`, policy);
    const server = [process.execPath, support('recording-server.mjs'), sandbox.current.path(`reached-${name}`)];
    this.process = sandbox.current.clawai('proxy', '--server', name, '--policy', file, '--', ...server);
  }

  call(id: number, tool: string, args: unknown = {}, more: object = {}): void {
    const params = { name: tool, arguments: args, ...more };
    this.process.send(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
  }

  answers(): Answer[] {
    const lines = this.process.stdout.toString().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Answer);
  }

  async answerTo(id: number): Promise<Answer> {
    await this.process.until(() => this.answers().some((answer) => answer.id === id));
    return this.answers().find((answer) => answer.id === id) ?? {};
  }

  hasAnswer(id: number): boolean {
    return this.answers().some((answer) => answer.id === id);
  }
}

function textOf(answer: Answer): string {
  return answer.result?.content?.[0]?.text ?? '';
}

/** Ids of what waits, as soon as there are so many. */
async function waiting(count = 1): Promise<string[]> {
  return (await waitingCalls(sandbox.current, { count })).map(({ id }) => id);
}

async function atTerminal(...words: readonly string[]): Promise<{ code: number | null; text: string }> {
  const person = new AtTerminal(sandbox.current, words);
  const { code } = await person.ended;
  return { code, text: person.text };
}

/** The audit's words about one call. */
function recorded(id: number): Record<string, unknown> {
  return sandbox.current.decided().find((event) => event['jsonrpc_id'] === id) ?? {};
}

describe.runIf(HAS_TERMINAL)('a person at another terminal', () => {
  it('sees a call that waits, while others pass, and allows it once', async () => {
    const client = new Client();
    client.call(1, 'danger', { path: '/etc/hosts' });
    const person = new AtTerminal(sandbox.current, ['approvals']);
    await person.shows('1 call waits for you');
    await person.shows('"path": "/etc/hosts"');
    client.call(2, 'harmless');
    expect((await client.answerTo(2)).result).toEqual({});
    expect(client.hasAnswer(1)).toBe(false);
    await setTimeout(700);
    person.send('y');
    expect((await client.answerTo(1)).result).toEqual({});
    await person.shows('allowed once: s danger');
    person.send('q');
    expect((await person.ended).code).toBe(0);
    client.call(3, 'danger', { path: '/etc/hosts' });
    const [id = ''] = await waiting();
    expect((await atTerminal('deny', id)).code).toBe(0);
    expect(textOf(await client.answerTo(3))).toContain('refused. Do not retry it.');
    await client.process.close();
    expect(recorded(1)).toMatchObject({ action: 'allow', decision: 'prompt', approval: 'granted', approval_scope: 'once' });
    expect(recorded(1)['approved_by']).toMatch(/^\S+ on \/dev\/pts\/\d+ \(pid \d+\)$/);
    expect(recorded(3)).toMatchObject({ action: 'block', approval: 'refused', approval_id: id, reason: 'approval_refused' });
  });

  it('allows calls just like it for the session, and others still wait', async () => {
    const client = new Client();
    client.call(1, 'danger', { path: 'a' });
    const [id = ''] = await waiting();
    expect(await atTerminal('approve', id.toLowerCase(), '--session')).toMatchObject({
      code: 0,
      text: expect.stringContaining(`${id}: allowed for calls just like it in this session: s danger`),
    });
    expect((await client.answerTo(1)).result).toEqual({});
    client.call(2, 'danger', { path: 'a' });
    expect((await client.answerTo(2)).result).toEqual({});
    client.call(3, 'danger', { path: 'b' });
    const [other = ''] = await waiting();
    expect(other).not.toBe(id);
    await atTerminal('deny', other);
    await client.answerTo(3);
    await client.process.close();
    expect(recorded(2)).toMatchObject({ approval: 'granted', approval_id: id, approval_scope: 'session' });
  });

  it('a yes for the session is to what else was sent too, but for what is another one each time', async () => {
    const client = new Client();
    client.call(
      1,
      'danger',
      {},
      { _meta: { progressToken: 1, 'claudecode/toolUseId': 'a', 'x/tenant': 'mine' }, task: { ttl: 1 } },
    );
    const person = new AtTerminal(sandbox.current, ['approvals'], { columns: 120, rows: 40 });
    await person.shows('"x/tenant": "mine"');
    await person.shows('"ttl": 1');
    await setTimeout(700);
    person.send('s');
    await client.answerTo(1);
    person.send('q');
    await person.ended;
    client.call(
      2,
      'danger',
      {},
      { task: { ttl: 1 }, _meta: { progressToken: 2, 'claudecode/toolUseId': 'b', 'x/tenant': 'mine' } },
    );
    expect((await client.answerTo(2)).result).toEqual({});
    client.call(3, 'danger', {}, { task: { ttl: 1 }, _meta: { progressToken: 2, 'x/tenant': 'theirs' } });
    await atTerminal('deny', (await waiting())[0] ?? '');
    expect(textOf(await client.answerTo(3))).toContain('refused');
  });

  it('has the policy allow such calls always, after seeing the change, and no other byte changes', async () => {
    const client = new Client();
    const policy = sandbox.current.path('policy-s.toml');
    const before = readFileSync(policy, 'utf8');
    client.call(1, 'danger', { path: 'a', n: 1.5, deep: { list: [true, 'x'] } });
    const person = new AtTerminal(sandbox.current, ['approvals'], { columns: 120, rows: 40 });
    await person.shows('1 call waits for you');
    await setTimeout(700);
    person.send('a');
    await person.shows('+tool = "danger"');
    expect(readFileSync(policy, 'utf8')).toBe(before);
    person.send('n');
    await person.shows('the policy stays as it is');
    expect(readFileSync(policy, 'utf8')).toBe(before);
    await setTimeout(700);
    person.send('a');
    await setTimeout(1000);
    person.send('y');
    await person.shows('allowed always: s danger');
    expect((await client.answerTo(1)).result).toEqual({});
    person.send('q');
    await person.ended;
    const after = readFileSync(policy, 'utf8');
    const at = after.indexOf('[[rule]]\nid = "remembered-');
    expect(after.slice(0, at) + after.slice(at + after.length - before.length)).toBe(before);
    client.call(2, 'danger', { deep: { list: [true, 'x'] }, n: 1.5, path: 'a' });
    expect((await client.answerTo(2)).result).toEqual({});
    client.call(3, 'danger', { path: 'a', n: 1.5, deep: { list: [true] } });
    await atTerminal('deny', (await waiting())[0] ?? '');
    expect(textOf(await client.answerTo(3))).toContain('refused');
    const tested = sandbox.current.clawai(
      'policy',
      'test',
      '--policy',
      policy,
      '--fixture-dir',
      sandbox.current.path('fixtures'),
    );
    expect((await tested.close()).code).toBe(0);
    await client.process.close();
    expect(recorded(1)).toMatchObject({ action: 'allow', approval: 'granted', approval_scope: 'always' });
    expect(recorded(2)).toMatchObject({ action: 'allow', decision: 'allow' });
  });

  it('has approve --always ask before it changes the policy, and say where it can not', { tags: 'long' }, async () => {
    const client = new Client();
    const policy = sandbox.current.path('policy-s.toml');
    const before = readFileSync(policy, 'utf8');
    client.call(1, 'danger');
    client.call(2, 'danger', { text: 'x'.repeat(20_000) });
    const [id = '', long = ''] = await waiting(2);
    expect(await atTerminal('approve', long, '--always')).toMatchObject({
      code: 2,
      text: expect.stringContaining('too long for a rule'),
    });
    const person = new AtTerminal(sandbox.current, ['approve', id, '--always']);
    await person.shows('Change the policy so? [y/N]');
    person.send('\r');
    expect((await person.ended).code).toBe(1);
    expect(person.stdout.toString()).toContain('\u001b[32m+');
    expect(readFileSync(policy, 'utf8')).toBe(before);
    const early = new AtTerminal(sandbox.current, ['approve', id, '--always', '--color', 'never']);
    for (const keys of ['y\r', 'y\r', 'y']) early.send(keys);
    await early.shows('Change the policy so? [y/N]');
    early.send('\r');
    expect((await early.ended).code).toBe(1);
    expect(early.stdout.toString()).not.toContain('\u001b[3');
    for (const leave of ['\u0003', '\u0004']) {
      const left = new AtTerminal(sandbox.current, ['approve', id, '--always']);
      await left.shows('Change the policy so? [y/N]');
      left.send(leave);
      expect((await left.ended).code).toBe(1);
      expect(left.text).toContain('the policy stays as it is');
    }
    const none = new AtTerminal(sandbox.current, ['approve', id, '--always']);
    none.stdin.end();
    expect((await none.ended).code).toBe(1);
    expect(readFileSync(policy, 'utf8')).toBe(before);
    const again = new AtTerminal(sandbox.current, ['approve', id, '--always']);
    await again.shows('Change the policy so? [y/N]');
    again.send('y\r');
    expect((await again.ended).code).toBe(0);
    expect((await client.answerTo(1)).result).toEqual({});
    expect(readFileSync(policy, 'utf8')).not.toBe(before);
  });

  it('answers nothing with keys that came too early: for the change of a policy, or the next request', async () => {
    const client = new Client();
    const policy = sandbox.current.path('policy-s.toml');
    const before = readFileSync(policy, 'utf8');
    client.call(1, 'danger', { path: 'first' });
    client.call(2, 'danger', { path: 'second' });
    await waiting(2);
    const person = new AtTerminal(sandbox.current, ['approvals'], { columns: 120, rows: 40 });
    person.send('y');
    await person.shows('2 calls wait for you');
    await setTimeout(700);
    person.send('jy');
    await person.shows('"path": "second"');
    await person.shows('only just come up');
    await setTimeout(700);
    person.send('ay');
    await person.shows('+tool = "danger"');
    person.send('y');
    await person.shows('This change has only just come up');
    expect(readFileSync(policy, 'utf8')).toBe(before);
    expect(await waiting(2)).toHaveLength(2);
    person.send('n');
    await person.shows('the policy stays as it is');
    person.send('q');
    expect((await person.ended).code).toBe(0);
    expect(client.answers()).toEqual([]);
  });

  it('is told when somebody else was first', async () => {
    const client = new Client();
    client.call(1, 'danger');
    const [id = ''] = await waiting();
    const [ann, bob] = await Promise.all([atTerminal('approve', id), atTerminal('deny', id)]);
    expect([ann.code, bob.code].toSorted()).toEqual([0, 1]);
    const loser = ann.code === 0 ? bob : ann;
    expect(loser.text).toMatch(ann.code === 0 ? /it was allowed already by .* just now/ : /it was denied already by .* just now/);
    const isForwarded = textOf(await client.answerTo(1)) === '';
    expect(isForwarded).toBe(ann.code === 0);
  });

  it('is told when it is too late, or there is no such request', async () => {
    const client = new Client(POLICY.replace('20s', '1s'));
    client.call(1, 'danger');
    const text = textOf(await client.answerTo(1));
    expect(text).toMatch(/request [0-9A-Z]{6}\), and nobody answered in time/);
    expect(text).toContain('clawai approvals');
    const id = /request (\w{6})/.exec(text)?.[1] ?? '';
    const late = await atTerminal('approve', id);
    expect(late).toMatchObject({ code: 1, text: expect.stringContaining('nobody answered in time, so the call was denied') });
    expect(await atTerminal('approve', '000000')).toMatchObject({
      code: 1,
      text: expect.stringContaining('there is no request 000000'),
    });
    expect(await atTerminal('approve', 'nonsense')).toMatchObject({ code: 2 });
    await client.process.close();
    expect(recorded(1)).toMatchObject({ action: 'block', reason: 'approval_expired', approval_id: id });
  });

  it('is not told that a call was allowed which was denied while others kept the store', { tags: 'long' }, async () => {
    const client = new Client(POLICY.replace('20s', '1500ms'));
    client.call(1, 'danger');
    const [id = ''] = await waiting();
    for (const release of [1800, 2600]) {
      if (release > 1800) client.call(2, 'danger');
      const asked = release > 1800 ? ((await waiting())[0] ?? '') : id;
      const holder = await StoreHolder.hold(sandbox.current);
      const late = atTerminal('approve', asked);
      await setTimeout(release);
      await holder.release();
      const { code, text } = await late;
      expect(text).not.toContain('allowed once');
      expect(code).not.toBe(0);
      expect(text).toMatch(/nobody answered in time|taken back|kept the store/);
      expect((await client.answerTo(release > 1800 ? 2 : 1)).result?.isError).toBe(true);
    }
  });

  it('is told when whoever asked has gone, with a word or without', async () => {
    for (const end of [
      async (client: Client): Promise<void> => void (await client.process.close()),
      async (client: Client): Promise<void> => {
        client.process.kill('SIGKILL');
        await client.process.ended;
      },
    ]) {
      const client = new Client();
      client.call(1, 'danger');
      const [id = ''] = await waiting();
      await end(client);
      expect(await atTerminal('approve', id)).toMatchObject({
        code: 1,
        text: expect.stringMatching(/call was taken back|process that asked has ended/),
      });
    }
  });

  it('gets the terminal back as it was, after q, Ctrl-C, Ctrl-D, a signal and the end of its input, at any size', async () => {
    const client = new Client();
    client.call(1, 'danger', { text: 'x'.repeat(300) });
    await waiting();
    for (const leave of ['q', '\u0003', '\u0004', 'SIGTERM', 'SIGHUP', 'end'] as const) {
      const person = new AtTerminal(sandbox.current, ['approvals'], { columns: 60, rows: 15 });
      await person.shows('1 call waits for you');
      person.resize(30, 9);
      await setTimeout(200);
      person.resize(1, 1);
      await setTimeout(200);
      person.resize(100, 30);
      await person.shows('q quit');
      expect(person.stdout.toString()).toContain('\u001b[?1049h');
      if (leave === 'SIGTERM' || leave === 'SIGHUP') person.signal(leave);
      else if (leave === 'end') person.stdin.end();
      else person.send(leave);
      const { code, stdout } = await person.ended;
      expect(code).toBe(0);
      expect(stdout.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?1049h'));
      // Lines are read as lines once more.
      expect(stdout.trimEnd()).toMatch(/1$/);
    }
  });

  it('ends where its input had ended before it began', async () => {
    const person = new AtTerminal(sandbox.current, ['approvals']);
    person.stdin.end();
    expect((await person.ended).code).toBe(0);
    expect(person.stdout.toString().trimEnd()).toMatch(/1$/);
  });

  it('arguments like a screen of ours show their characters, and steer nothing', async () => {
    const client = new Client();
    // A name with such characters is refused; a text, and a key, may have them.
    const screen = 'danger\u001b[2J\u001b[1;1H\u202egnp.exe\r\nclawai: 0 calls wait for you\n> y once';
    client.call(1, 'danger', { note: `${screen}\u001b]0;title\u0007\u2066`, 'key\u001b[31m': 1 });
    const person = new AtTerminal(sandbox.current, ['approvals'], { columns: 200, rows: 40 });
    await person.shows('danger\\u001b[2J');
    const shown = person.stdout.toString();
    expect(shown).not.toContain('\u001b[2J');
    expect(shown).not.toContain('\u001b]0;');
    expect(shown).not.toMatch(/[\u202e\u2066\u0007]/);
    expect(shown).toContain('\\u{202E}');
    person.send('q');
    await person.ended;
  });

  it('10 MB of arguments can be scrolled, and say that they are not shown in full', async () => {
    const client = new Client();
    client.call(1, 'danger', { text: `${'abcdefghi '.repeat(1_000_000)}` });
    await waiting();
    const person = new AtTerminal(sandbox.current, ['approvals']);
    await person.shows('Only the first 1,048,576 of 10,000,011 characters');
    await setTimeout(700);
    person.send('\u001b[F');
    await person.shows(/lines 1\d,?\d{3}-/);
    person.send('n');
    expect(textOf(await client.answerTo(1))).toContain('refused');
    person.send('q');
    expect((await person.ended).code).toBe(0);
  });

  it('a thousand that wait are shown, and one of them is chosen', async () => {
    const client = new Client();
    client.call(1, 'danger');
    await waiting();
    const store = new SqliteQuestions({ file: sandbox.current.storeFile, sync: 'normal' });
    for (let i = 0; i < 999; i++) store.ask(question({ server: `s${i}` }), { most: 10, within: 1000 });
    store.close();
    const person = new AtTerminal(sandbox.current, ['approvals']);
    await person.shows('1000 calls wait for you');
    await setTimeout(700);
    person.send('y');
    expect((await client.answerTo(1)).result).toEqual({});
    await person.shows('999 calls wait for you');
    person.send('q');
    await person.ended;
  });

  it('a child of an agent is not listened to', async () => {
    const client = new Client();
    client.call(1, 'danger');
    const [id = ''] = await waiting();
    const claude = sandbox.current.write('claude', '#!/bin/sh\n"$@"\nexit $?\n', 0o755);
    for (const words of [['approve', id], ['deny', id], ['approvals']]) {
      const shell = [claude, ...sandbox.current.command(...words)].map((word) => `'${word}'`).join(' ');
      const agent = new AtTerminal(sandbox.current, [], { shell });
      expect((await agent.ended).code).toBe(2);
      expect(agent.text).toContain('an agent has started it');
    }
    expect(client.hasAnswer(1)).toBe(false);
  });
});

describe('without a terminal', () => {
  it('nothing can be answered, only listed', async () => {
    const client = new Client();
    client.call(1, 'danger', { password: 'hunter2-hunter2', path: 'a' });
    const [id = ''] = await waiting();
    for (const words of [
      ['approve', id],
      ['approve', id, '--session'],
      ['deny', id],
    ]) {
      const pipe = sandbox.current.clawai(...words);
      pipe.send('y\n');
      const { code, stderr } = await pipe.close();
      expect(code).toBe(2);
      expect(stderr).toContain('is for a person, and stdin is no terminal');
    }
    const listed = await sandbox.current.clawai('approvals').close();
    expect(listed).toMatchObject({ code: 2, stdout: expect.stringContaining(id) });
    const json = await sandbox.current.clawai('approvals', '--json').close();
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({ id, server_id: 's', tool_name: 'danger', rule: 'danger' });
    expect(json.stdout).not.toContain('hunter2');
    expect(client.hasAnswer(1)).toBe(false);
  });

  it('there is nothing to list before anything was recorded', async () => {
    expect(await sandbox.current.clawai('approvals', '--json').close()).toMatchObject({ code: 0, stdout: '' });
    expect(await sandbox.current.clawai('approvals').close()).toMatchObject({ code: 2, stdout: 'nothing waits for you\n' });
  });
});

describe('hazard 2: with nobody there a call is denied', () => {
  it.each([
    ['nobody answers', '[approval]\ntimeout = "1s"', 'approval_expired'],
    ['no channel is on', '[approval]\nchannels = []', 'approval_unavailable'],
  ])('where %s', async (_why, table, reason) => {
    const client = new Client(`${table}\n[defaults]\naction = "prompt"\n`);
    client.call(1, 'anything');
    client.process.send('{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"file:///x"}}\n');
    client.process.send('{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p"}}\n');
    expect((await client.answerTo(1)).result?.isError).toBe(true);
    for (const id of [2, 3]) expect((await client.answerTo(id)).error?.code).toBe(40_301);
    await client.process.close();
    for (const id of [1, 2, 3]) expect(recorded(id)).toMatchObject({ action: 'block', reason });
  });

  it('where the key can not be read', async () => {
    const client = new Client('[approval]\ntimeout = "1s"\n[defaults]\naction = "prompt"\n');
    client.call(1, 'first');
    await client.answerTo(1);
    sandbox.current.write('state/clawai/approval.key', 'too short');
    client.call(2, 'second');
    expect(textOf(await client.answerTo(2))).toContain('nobody can be asked');
    await client.process.close();
    expect(recorded(2)).toMatchObject({ action: 'block', reason: 'approval_unavailable' });
    expect(client.process.stderr).toContain('clawai: cannot ask for approval');
  });
});

describe('hazard 21: a server that asks and asks', () => {
  it('is denied without asking after ten questions, and others are not', async () => {
    const client = new Client();
    for (let id = 1; id <= 12; id++) client.call(id, 'danger', { id });
    for (const id of [11, 12])
      expect(textOf(await client.answerTo(id))).toContain('too many calls asked for one in the last minute');
    expect(await waiting(10)).toHaveLength(10);
    const other = new Client(POLICY, 'other');
    other.call(1, 'danger');
    expect(await waiting(11)).toHaveLength(11);
    await client.process.close();
    await other.process.close();
    expect(recorded(12)).toMatchObject({ action: 'block', reason: 'approval_flood' });
    expect((await sandbox.current.clawai('approvals', '--json').close()).stdout).toBe('');
  });
});
