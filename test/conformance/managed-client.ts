// The client of the OAuth suite: clawai logs in and is in between, and the suite's own browser agrees to everything. The URL of the
// suite's server is the last argument.
import { Sandbox } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';
import { callOf, post, said } from '../support/post.ts';

/** Logins in one run: a server that wants more rights each time would go on for ever. */
const MOST_LOGINS = 3;

const PAGE = /^http\S+$/m;

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
}

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context;
const url = process.argv.at(-1) ?? '';
const sandbox = new Sandbox();

/** Logs in as a person does whose browser agrees at once. */
async function logIn(): Promise<void> {
  const id = scenario.includes('cimd') ? 'https://conformance-test.local/client-metadata.json' : context.client_id;
  const flags = id === undefined ? [] : ['--client-id', id];
  if (context.client_secret !== undefined)
    flags.push('--client-secret-file', sandbox.write('secret', context.client_secret, 0o600));
  const words = ['login', 's', '--no-browser', ...flags, '--config', sandbox.path('config.toml')];
  const running = sandbox.clawai(...words);
  await Promise.race([running.until(() => PAGE.test(running.stdout.toString())).catch(() => {}), running.ended]);
  const [page] = PAGE.exec(running.stdout.toString()) ?? [];
  if (page !== undefined) {
    const answer = await fetch(page, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (location !== null) await (await fetch(new URL(location, page))).text();
    else running.kill('SIGTERM');
  }
  const { code, stderr } = await running.ended;
  if (stderr.includes('another authorization server than before')) {
    // A person would be asked; a script says by this that it means it.
    await sandbox.clawai('logout', 's', '--config', sandbox.path('config.toml')).close();
    return logIn();
  }
  if (code !== 0) throw new Error(`the login failed: ${stderr}`);
}

/** Calls through clawai, logging in as often as it says so. */
async function call(serving: Serving): Promise<string> {
  for (let logins = 0; ; logins++) {
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE };
    const { headers } = await post(serving.url('s'), initialize);
    const session = headers.get('mcp-session-id');
    const own = session === null ? {} : { 'mcp-session-id': session };
    await post(serving.url('s'), { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
    const listed = await post(serving.url('s'), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, own);
    const answer = said(await post(serving.url('s'), callOf(2, {}, 'test-tool'), own));
    const isOpen = /clawai login/.test(`${listed.text} ${answer}`);
    if (!isOpen || logins === MOST_LOGINS) return answer;
    await logIn();
  }
}

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'conformance', version: '1' } };

const serving = await Serving.start(sandbox, {
  config: '[login]\nkeychain = false\n',
  servers: { s: url },
  settings: { s: 'auth = "managed"' },
});
try {
  await logIn();
  console.log(await call(serving));
} finally {
  await serving.stop();
  sandbox.remove();
}
