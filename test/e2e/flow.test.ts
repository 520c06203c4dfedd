import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, type DeclaringOptions, tool } from '../support/declaring.ts';
import type { Event } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const sandbox = useSandbox();

const ROWS = 'id,name,card\n1,Ada Quillfeather,4532 7153 9017 2284\n2,Bo Marchetti-Lund,4916 0382 5571 9043';
const TOKEN = 'rk9_Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';

/** Two servers of one client, each behind a process of its own. */
async function twoServers(flow: string, env: readonly Readonly<Record<string, string>>[] = []): Promise<[Declaring, Declaring]> {
  const policy = `[defaults]\naction = "allow"\n${flow}`;
  const start = async (options: DeclaringOptions, declared: Parameters<Declaring['declare']>[0]): Promise<Declaring> => {
    const server = new Declaring(sandbox.current, { policy, ...options });
    server.declare(declared);
    await server.start();
    await server.tools();
    return server;
  };
  const database = await start(
    { server: 'db', env: env[0] ?? {} },
    { tools: [[tool('query_database', 'Queries.')]], texts: { query_database: `${ROWS}\ntoken: ${TOKEN}` } },
  );
  const mail = await start(
    { server: 'mail', env: env[1] ?? {} },
    { tools: [[tool('send_email', 'Sends.'), tool('list_inbox', 'Lists.')]] },
  );
  return [database, mail];
}

async function stopAll(...servers: readonly Declaring[]): Promise<void> {
  for (const server of servers) await server.stop();
}

function flows(): Event[] {
  return sandbox.current.events().filter(({ type }) => type === 'mcp_cross_server_blocked');
}

describe('flow between the servers of one client', () => {
  it('end-to-end read-then-send blocking: the explanation names the read, and the server never hears of it', async () => {
    const [database, mail] = await twoServers('[flow]\naction = "deny"\n');
    expect(await mail.call('send_email', { body: 'hello' })).toBe('allowed');
    expect(await database.call('query_database', { path: 'customers' })).toBe('allowed');
    const told = await mail.call('send_email', { to: 'x@example.com', body: 'hello again' });
    expect(told).toMatch(/denied the tool call "send_email"/);
    expect(told).toContain('query_database');
    expect(told).toContain('"db"');
    await stopAll(database, mail);
    expect(mail.reached().filter((line) => line === 'tools/call send_email')).toHaveLength(1);
    expect(flows()).toMatchObject([
      {
        rule: 'read_then_send',
        severity: 'critical',
        action: 'block',
        server_id: 'mail',
        tool_name: 'send_email',
        related_calls: [{ server_id: 'db', tool_name: 'query_database', action: 'allow', category: 'read' }],
      },
    ]);
    const denied = sandbox.current.decided().at(-1);
    expect(denied).toMatchObject({ tool_name: 'send_email', action: 'block', reason: 'flow' });
  });

  it('what was read before the second server was there counts', async () => {
    const policy = '[defaults]\naction = "allow"\n[flow]\naction = "deny"\n';
    const database = new Declaring(sandbox.current, { policy, server: 'db' });
    database.declare({ tools: [[tool('query_database', 'Queries.')]] });
    await database.start();
    expect(await database.call('query_database')).toBe('allowed');
    const mail = new Declaring(sandbox.current, { policy, server: 'mail' });
    mail.declare({ tools: [[tool('send_email', 'Sends.')]] });
    await mail.start();
    expect(await mail.call('send_email')).toMatch(/denied.*query_database/);
    await stopAll(database, mail);
  });

  it('a read that was denied gave nothing', async () => {
    const rule = '[[rule]]\naction = "deny"\ntool = "query_*"\n';
    const [database, mail] = await twoServers(`[flow]\naction = "deny"\n${rule}`);
    expect(await database.call('query_database')).toMatch(/denied/);
    expect(await mail.call('send_email')).toBe('allowed');
    await stopAll(database, mail);
    expect(flows()).toEqual([]);
  });

  it('an alert tells of it and lets it pass', async () => {
    const [database, mail] = await twoServers('');
    await database.call('query_database');
    expect(await mail.call('send_email')).toBe('allowed');
    await stopAll(database, mail);
    expect(flows()).toMatchObject([{ rule: 'read_then_send', action: 'alert' }]);
  });

  it.each([
    ['plain', (text: string) => text],
    ['base64 within other text', (text: string) => Buffer.from(`see: ${text}!`).toString('base64')],
    ['hex', (text: string) => Buffer.from(text).toString('hex')],
    ['in a URL', (text: string) => `https://example.com/?q=${encodeURIComponent(text)}`],
  ])('evidence = "value": a value of the result is found, %s, and nothing else is', async (_, encode) => {
    const [database, mail] = await twoServers('[flow]\nread_then_send = { action = "deny", evidence = "value" }\n');
    await database.call('query_database');
    expect(await mail.call('send_email', { body: 'the weekly report is ready' })).toBe('allowed');
    const told = await mail.call('send_email', { body: encode(TOKEN) });
    expect(told).toMatch(/denied the tool call "send_email".*query_database/);
    expect(told).not.toContain(TOKEN);
    expect(await mail.call('send_email', { body: encode('Bo Marchetti-Lund,4916 0382 5571 9043') })).toMatch(/denied/);
    await stopAll(database, mail);
    const [first] = flows();
    expect(first).toMatchObject({ rule: 'read_then_send', evidence_source: expect.stringMatching(/\.\d+$/) as string });
    expect(JSON.stringify(flows())).not.toContain(TOKEN);
  });

  it('evidence = "value": a call that comes right after a result is compared with it, however large that was', async () => {
    const [database, mail] = await twoServers('[flow]\nread_then_send = { action = "deny", evidence = "value" }\n');
    const rows = (count: number): string =>
      Array.from({ length: count }, (_, i) => `${i},Quill${(i * 7919) % 99_991},${4_000_000_000_000_000 + i * 104_729_131}`).join(
        '\n',
      );
    for (let i = 0; i < 4; i++) {
      await database.call('query_database');
      expect(await mail.call('send_email', { body: TOKEN })).toMatch(/denied.*query_database/);
    }
    database.declare({ texts: { query_database: rows(20_000) } });
    await database.call('query_database');
    expect(await mail.call('send_email', { body: 'the weekly report is ready' })).toBe('allowed');
    await database.call('query_database');
    expect(await mail.call('send_email', { body: rows(500) })).toMatch(/denied.*query_database/);
    // What reads waits for nobody, nor does what follows on it.
    expect(await mail.call('list_inbox')).toBe('allowed');
    // Nor is it lost when its client ends the server at once, as a program does that has what it wants.
    await database.call('query_database');
    await database.stop();
    expect(await mail.call('send_email', { body: rows(500) })).toMatch(/denied.*query_database/);
    await mail.stop();
    expect(readdirSync(join(sandbox.current.state, 'clawai', 'results'))).toEqual([]);
  });

  it('evidence = "value": a server is there once it was greeted, whether anybody asks for its list or not', async () => {
    const policy = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
    const [database, mail] = ['db', 'mail'].map((server) => new Declaring(sandbox.current, { policy, server })) as [
      Declaring,
      Declaring,
    ];
    database.declare({ texts: { query_database: TOKEN } });
    mail.declare({});
    await database.start();
    await mail.start();
    expect(await database.call('query_database')).toBe('allowed');
    expect(await mail.call('send_email', { body: TOKEN })).toMatch(/denied.*query_database/);
    await stopAll(database, mail);
  });

  it('evidence = "value": what was read before the second server was there, and what the first was told', async () => {
    const policy = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
    const [database, mail] = ['db', 'mail'].map((server) => new Declaring(sandbox.current, { policy, server })) as [
      Declaring,
      Declaring,
    ];
    const told = 'Vq7_pLw2xNz8cYt4mBd5sHf3jGu6aKe1';
    database.declare({ texts: { query_database: `${TOKEN}\n${told}` } });
    mail.declare({});
    await database.start();
    expect(await database.call('query_database', { path: told })).toBe('allowed');
    await database.stop();
    await mail.start();
    expect(await mail.call('send_email', { body: told })).toBe('allowed');
    expect(await mail.call('send_email', { body: TOKEN })).toMatch(/denied.*query_database/);
    await mail.stop();
  });

  it('what the user said to both is no evidence', async () => {
    const [database, mail] = await twoServers('[flow]\nread_then_send = { action = "deny", evidence = "value" }\n');
    await database.call('query_database', { path: TOKEN });
    expect(await mail.call('send_email', { body: TOKEN })).toBe('allowed');
    await stopAll(database, mail);
  });

  it('two clients at once do not disturb each other', async () => {
    const [database, mail] = await twoServers('[flow]\naction = "deny"\n', [{ CLAWAI_SESSION: 'a' }, { CLAWAI_SESSION: 'b' }]);
    await database.call('query_database');
    expect(await mail.call('send_email')).toBe('allowed');
    await stopAll(database, mail);
    expect(flows()).toEqual([]);
  });

  it('same turn: what Codex says of its turns connects calls', async () => {
    const [database, mail] = await twoServers(
      '[flow]\nread_then_send = { enabled = false }\ncross_server_flow = { action = "deny" }\n',
    );
    const turn = (id: string): object => ({ 'x-codex-turn-metadata': JSON.stringify({ turn_id: id }) });
    await database.call('query_database', {}, turn('1'));
    expect(await mail.call('send_email', {}, turn('2'))).toBe('allowed');
    expect(await mail.call('send_email')).toBe('allowed');
    expect(await mail.call('send_email', {}, turn('1'))).toMatch(/denied/);
    await stopAll(database, mail);
  });

  it('hazard 40: the eleventh call of a burst is denied, and a denied one does not prolong it', { tags: 'long' }, async () => {
    const [database, mail] = await twoServers('[flow]\nburst = { action = "deny", max_calls = 10, window = "4s" }\n');
    const started = performance.now();
    for (let i = 0; i < 10; i++) expect(await mail.call('list_inbox')).toBe('allowed');
    expect(await mail.call('list_inbox')).toMatch(/denied/);
    expect(await database.call('query_database')).toBe('allowed');
    // More of them than the window may have: if they counted, this would never end.
    await until('there is room in the window', async () => (await mail.call('list_inbox')) === 'allowed');
    expect(performance.now() - started).toBeGreaterThan(4000);
    await stopAll(database, mail);
  });

  it('hazard 41: a shadowed name is denied to the later server alone', async () => {
    const [database, mail] = await twoServers('');
    mail.declare({ tools: [[tool('query_database', 'Queries mail.'), tool('send_email', 'Sends.')]] });
    await mail.tools();
    expect(await mail.call('query_database')).toMatch(/denied.*"db"/);
    expect(await mail.call('send_email')).toBe('allowed');
    expect(await database.call('query_database')).toBe('allowed');
    await stopAll(database, mail);
    expect(flows().filter(({ action }) => action === 'block')).toMatchObject([{ rule: 'shadow_tool', server_id: 'mail' }]);
  });

  it('hazard 41: the first owner of a name is known from its list on, and after a restart in another order', async () => {
    const policy = '[defaults]\naction = "allow"\n';
    const [first, second] = ['first', 'second'].map((server) => {
      const one = new Declaring(sandbox.current, { policy, server });
      one.declare({ tools: [[tool('lookup', 'Looks up.')]] });
      return one;
    }) as [Declaring, Declaring];
    await first.start();
    await second.start();
    await first.tools();
    await second.tools();
    expect(await second.call('lookup')).toMatch(/denied.*"first"/);
    expect(await first.call('lookup')).toBe('allowed');
    await stopAll(first, second);
    for (const server of [second, first]) {
      await server.start();
      await server.tools();
    }
    expect(await first.call('lookup')).toBe('allowed');
    expect(await second.call('lookup')).toMatch(/denied.*"first"/);
    await stopAll(first, second);
  });

  it('nothing is about a single server', async () => {
    const server = new Declaring(sandbox.current, { policy: '[defaults]\naction = "allow"\n[flow]\naction = "deny"\n' });
    server.declare({ tools: [[tool('read_note', 'Reads.'), tool('send_note', 'Sends.')]] });
    await server.start();
    await server.tools();
    for (let i = 0; i < 8; i++) {
      expect(await server.call('read_note')).toBe('allowed');
      expect(await server.call('send_note')).toBe('allowed');
    }
    await server.stop();
    expect(flows()).toEqual([]);
  });
});
