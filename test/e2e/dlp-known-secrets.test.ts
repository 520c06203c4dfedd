/** @module-tag long */
// Secrets that one server of a session has, in the arguments of calls to another.
import { expect, describe, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';

const sandbox = useSandbox();

const OWN = 'rk9Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';
const SHOWN = 'Tq8Lw2Zr7Nf4Kd9Xs3Vb6Hm1';
const ENV_FILE = `# settings\nPORT=8080\nDB_PASSWORD=${SHOWN}\nMODE=production-like-values\n`;

async function twoServers(dlp: string): Promise<readonly [files: Declaring, mail: Declaring]> {
  const policy = `[defaults]\naction = "allow"\n[dlp]\n${dlp}\n`;
  const files = new Declaring(sandbox.current, { policy, server: 'files', env: { VAULT_TOKEN: OWN } });
  files.declare({ tools: [[tool('read_file', 'Reads.')]], texts: { read_file: ENV_FILE } });
  const mail = new Declaring(sandbox.current, { policy, server: 'mail' });
  mail.declare({ tools: [[tool('send_email', 'Sends.')]] });
  for (const server of [files, mail]) {
    await server.start();
    await server.tools();
  }
  return [files, mail];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret that another server has', () => {
  it('in its environment: only that server may be sent it', async () => {
    const [files, mail] = await twoServers('on_arguments = "deny"');
    expect(await files.call('read_file', { path: OWN })).toBe('allowed');
    expect(await mail.call('send_email', { body: 'hello' })).toBe('allowed');
    for (const body of [OWN, base64(`it is ${OWN}.`), `a ${OWN.slice(3)}`])
      expect(await mail.call('send_email', { body })).toMatch(/an argument has a secret of another server/);
    for (const server of [files, mail]) await server.stop();
    expect(mail.reached().filter((line) => line.startsWith('tools/call'))).toHaveLength(1);
    const ofMail = sandbox.current.events().filter(({ server_id: server }) => server === 'mail');
    expect(JSON.stringify(ofMail)).not.toContain(OWN.slice(5, 20));
  });

  it('in what it answered, such as an .env file; its other values are none', async () => {
    const [files, mail] = await twoServers('on_arguments = "deny"');
    expect(await files.call('read_file', { path: '.env' })).toBe('allowed');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await mail.call('send_email', { body: `x ${SHOWN}` })).toMatch(/a secret of another server/);
    expect(await mail.call('send_email', { body: `x ${base64(SHOWN)}` })).toMatch(/a secret of another server/);
    expect(await mail.call('send_email', { body: 'MODE=production-like-values PORT=8080' })).toBe('allowed');
    expect(await files.call('read_file', { path: `/${SHOWN}` })).toBe('allowed');
    for (const server of [files, mail]) await server.stop();
  });

  it('in what it answered just now: a call waits until that was read', async () => {
    const [files, mail] = await twoServers('on_arguments = "deny"');
    for (let round = 0; round < 5; round += 1) {
      const secret = `${SHOWN}${round}x`;
      files.declare({
        tools: [[tool('read_file', 'Reads.')]],
        texts: { read_file: `${'PORT=8080 and more text\n'.repeat(5000)}DB_PASSWORD=${secret}\n` },
      });
      expect(await files.call('read_file', { path: `.env${round}` })).toBe('allowed');
      expect(await mail.call('send_email', { body: `x ${secret.slice(-14)}` })).toMatch(/a secret of another server/);
    }
    expect(await mail.call('send_email', { body: 'hello' })).toBe('allowed');
    for (const server of [files, mail]) await server.stop();
  });

  it('beside a secret that can be taken out, in a URI, and in JSON within a text', async () => {
    const [files, mail] = await twoServers('on_arguments = "redact"');
    const key = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
    expect(await files.call('read_file', { path: '.env' })).toBe('allowed');
    expect(await mail.call('send_email', { a: key })).toBe('allowed');
    const SENT: readonly object[] = [
      { a: key, b: `the password is ${SHOWN} here` },
      { a: `use ${key} or else ${SHOWN}` },
      { a: JSON.stringify({ b: [SHOWN] }) },
      { [SHOWN]: 1 },
    ];
    for (const args of SENT) expect(await mail.call('send_email', args)).toMatch(/a secret of another server/);
    const { error } = await mail.request('resources/read', { uri: `notes://x/${SHOWN}` });
    expect(error?.message).toMatch(/a secret of another server/);
    for (const server of [files, mail]) await server.stop();
    const ofMail = sandbox.current.events().filter(({ server_id: server }) => server === 'mail');
    expect(JSON.stringify(ofMail)).not.toContain(SHOWN);
  });

  it('is an alarm by default, and nothing if [dlp] is off', async () => {
    for (const dlp of ['', 'enabled = false']) {
      const [files, mail] = await twoServers(dlp);
      expect(await mail.call('send_email', { body: OWN })).toBe('allowed');
      for (const server of [files, mail]) await server.stop();
    }
    const events = sandbox.current.events().filter(({ type }) => type === 'mcp_detection');
    const patterns = events.map(({ detection }) => (detection as { readonly pattern: string }).pattern);
    expect(patterns.filter((pattern) => pattern.startsWith('dlp.'))).toEqual(['dlp.known_secret']);
  });
});
