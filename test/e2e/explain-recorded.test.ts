import { describe, expect, it } from 'vitest';
import { attempt, readFile, useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';

const sandbox = useSandbox();

const AGAIN = 'decided again now';

/** What `policy explain` says of the call on record that was denied last. */
async function explainLast(policy: string, ...more: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.current
    .clawai('policy', 'explain', '--last-denied', '--policy', policy, ...more)
    .close();
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

interface Told {
  readonly event: { readonly flow: readonly object[] };
  readonly explanations: readonly { readonly decision: object }[];
}

/** Calls two servers of one session, the second of which sends. @returns what the model was told of that */
async function readAndSend(policy: string): Promise<string> {
  const start = async (server: string, name: string): Promise<Declaring> => {
    const declaring = new Declaring(sandbox.current, { policy, server });
    declaring.declare({ tools: [[tool(name, 'A tool.')]], texts: { query_database: 'a row' } });
    await declaring.start();
    await declaring.tools();
    return declaring;
  };
  const database = await start('db', 'query_database');
  const mail = await start('mail', 'send_email');
  await database.call('query_database');
  const told = await mail.call('send_email', { body: 'hello' });
  await database.stop();
  await mail.stop();
  return told;
}

describe('a question to a person', () => {
  const POLICY = `[approval]\ntimeout = "1s"\nchannels = ["terminal"]\n\n[[rule]]\nid = "ask"\naction = "prompt"\ntool = "*"\n`;

  it.each(['approval_expired', 'approval_withdrawn'])('%s: the same is not said to be decided otherwise', async (reason) => {
    if (reason === 'approval_withdrawn') await attempt(sandbox.current, POLICY, [readFile({ path: '/srv/x' }, 1)]);
    else {
      const server = new Declaring(sandbox.current, { policy: POLICY });
      server.declare({ tools: [[tool('read_file', 'Reads.')]] });
      await server.start();
      expect(await server.call('read_file')).toContain('approval');
      await server.stop();
    }
    expect(sandbox.current.decided().at(-1)).toMatchObject({ reason });
    const told = await explainLast(reason === 'approval_withdrawn' ? 'policy.toml' : 'files.toml');
    expect(told).toMatch(/on record: prompt by rule ask, \w+\nthe policy is the one that decided then\n\nprompt by rule ask /);
    expect(told).not.toContain(AGAIN);
  });
});

describe('trust', () => {
  it('that was given since is said to be why it is decided otherwise', async () => {
    const policy = '[defaults]\naction = "allow"\n\n[pinning]\non_change = "deny"\n';
    const server = new Declaring(sandbox.current, { policy });
    server.declare({ tools: [[tool('read_file', 'Reads.')]] });
    await server.start(['one']);
    await server.tools();
    await server.stop();
    await server.start(['two']);
    expect(await server.call('read_file')).toContain('started in another way');
    await server.stop();
    expect(await explainLast('files.toml')).toContain(
      `on record: deny by pinning\nthe policy is the one that decided then\n${AGAIN}, it is allowed: trust or the session has changed since`,
    );
  });
});

describe('a flow', () => {
  it('that denied is explained from the record: its rule, the calls before, the setting, and what to do', async () => {
    const policy = '[defaults]\naction = "allow"\n\n[flow]\nread_then_send = { action = "deny" }\n';
    expect(await readAndSend(policy)).toContain('flow rule "read_then_send"');
    const told = await explainLast('mail.toml');
    expect(told).not.toContain(AGAIN);
    expect(told).not.toContain('allow by the default (');
    expect(told).toMatch(
      /flow rule read_then_send found this: it would send with "send_email" after "query_database" of the server "db"/,
    );
    const [read] = sandbox.current.decided();
    const id = String(read?.['id']);
    expect(told).toMatch(
      new RegExp(`\\n {2}from: what "query_database" of "db" returned at [\\d:]{8}, ${id.slice(0, 6)}\\.1\\n {2}set by `),
    );
    expect(told).toContain('\n  set by read_then_send.action = "deny" under [flow] (mail.toml:5)\n');
    expect(told).toContain('\n  to change it: evidence = "value" acts only on copied data; "prompt" asks you each time');
    expect(told).toContain('\n\ndeny by flow: it would send with "send_email"');
    expect(told).toContain('4. rules          not asked; would allow by the default\n');
    const { event, explanations } = JSON.parse(await explainLast('mail.toml', '--json')) as Told;
    expect(event.flow).toMatchObject([
      {
        rule: 'read_then_send',
        action: 'deny',
        related: [id],
        source: { id, server: 'db' },
        sink: { server: 'mail' },
        outcome: 'denied',
      },
    ]);
    expect(explanations[0]?.decision).toMatchObject({ action: 'deny', reason: 'flow' });
  });

  it('that another policy only tells of denies nothing by that', async () => {
    await readAndSend('[defaults]\naction = "allow"\n\n[flow]\naction = "deny"\n');
    expect(await explainLast('mail.toml')).toContain('  set by action = "deny" under [flow] (mail.toml:5)\n');
    sandbox.current.write('other.toml', '[defaults]\naction = "allow"\n');
    const told = await explainLast('other.toml');
    expect(told).toContain('  set by read_then_send.action = "alert" under [flow] (the default)\n');
    expect(told).toContain('\n\nallow by the default');
    expect(told).toContain('3. flow           only tells of it: read_then_send: it would send');
  });
});
