import { createInterface } from 'node:readline';
import { isLoopback } from '../../config/addresses.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { LoginFailure, beginLogin, type BegunLogin } from '../../remote/login/oauth-client.ts';
import { loginCommand } from '../../remote/login/login-command.ts';
import type { LoginStore } from '../../remote/login/login-store.ts';
import { listenForRedirect, type RedirectAnswer, type RedirectListener } from '../../remote/login/redirect-listener.ts';
import { createSafeFetch } from '../../transport/login/safe-fetch.ts';
import { type Login, scopesBeyond, uniteScopes } from '../../remote/login/login.ts';
import { VERSION } from '../machine/version.ts';
import { note, warn, withProgress } from '../terminal/notes.ts';
import { askYes } from '../terminal/person.ts';
import { printable } from '../terminal/text.ts';
import { loginError, type ManagedServer } from './managed-servers.ts';
import { openPage } from './open-page.ts';

interface LogInOptions {
  readonly client: { readonly id: string; readonly secret: string | undefined } | undefined;
  readonly scope: string | undefined;
  /** The authorization server to log in at, if the server names several. */
  readonly authorizationServer: string | undefined;
  /** The port for the answer; 0 for any. */
  readonly port: number;
  readonly isBrowserUsed: boolean;
}

/** Characters that are shown of what a server says. */
const MOST_SHOWN = 200;

/**
 * Logs a person in to a server, and stores the tokens.
 *
 * @returns false if the person said no
 * @throws ClawaiError `login_failed`; the store's errors
 */
export async function logIn(store: LoginStore, server: ManagedServer, options: LogInOptions): Promise<boolean> {
  const listener = await listen(server, options);
  try {
    const before = store.find(server.url);
    const wanted = options.scope === undefined ? before?.wanted : undefined;
    const scope = options.scope ?? uniteScopes(wanted);
    const { client } = options;
    const fetch = createSafeFetch({ server: server.url, tlsFingerprint: server.tlsFingerprint });
    const { url: redirectUrl, state } = listener;
    const choice = { authorizationServer: options.authorizationServer, issuerBefore: before?.issuer };
    const request = { url: server.url, scope, client, ...choice, redirectUrl, state, version: VERSION, fetch };
    const begun = await attempt({ ...server, wanted }, () => withProgress('asking the server', beginLogin(request)));
    checkPage(begun.page, server);
    const isOther = before !== undefined && before.issuer !== begun.issuer;
    // A person who names the scopes knows them.
    const more = before === undefined || options.scope !== undefined ? undefined : moreScopes(begun, before);
    if (!(await agree({ server, begun, isOther, before: before?.issuer, more }))) return false;
    const answer = await waitForAnswer(listener, begun.page, options);
    if (answer === undefined)
      throw loginError('nobody has logged in within five minutes', `run \`${loginCommand(server.name)}\` again`);
    const { login, secrets } = await attempt({ ...server, wanted }, async () => {
      begun.checkIssuer(answer.iss);
      if ('error' in answer) throw new LoginFailure(`the authorization server refused it: ${shown(answer.error)}`);
      return begun.finish({ code: answer.code, iss: answer.iss });
    });
    const { place } = await store.save({ ...login, raised: countRaises(before, options) }, secrets);
    const where = place === 'keychain' ? "in the system's keychain" : 'in a file that only you may read';
    process.stdout.write(`Logged in to ${printable(server.name)}. The tokens are ${where}.\n`);
    return true;
  } finally {
    listener.close();
  }
}

function moreScopes({ page }: BegunLogin, { scope }: Login): string | undefined {
  // Authorization servers ask for this one as a scope, and name it in no token.
  return scopesBeyond(page.searchParams.get('scope') ?? undefined, `${scope ?? ''} offline_access`);
}

function countRaises(before: Login | undefined, { scope }: LogInOptions): number | undefined {
  if (before === undefined || scope !== undefined) return undefined;
  return before.wanted === undefined ? before.raised : (before.raised ?? 0) + 1;
}

async function listen({ name }: ManagedServer, { port, client }: LogInOptions): Promise<RedirectListener> {
  try {
    return await listenForRedirect({ port, isRegistered: port !== 0 || client !== undefined });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw loginError(
      `cannot wait for the answer: ${why}`,
      `run \`${loginCommand(name, '--port PORT')}\` with another port`,
      error,
    );
  }
}

/** @throws ClawaiError `login_failed` */
async function attempt<T>(
  { name, wanted }: ManagedServer & { readonly wanted: string | undefined },
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const why = shown(reasonIn(error));
    const hint =
      wanted !== undefined
        ? `the server wanted these rights: ${shown(wanted)}; \`${loginCommand(name, '--scope SCOPES')}\` asks for other rights`
        : /registration|\bregister/i.test(why)
          ? `register clawai there with the address http://127.0.0.1:PORT/callback, then run \`${loginCommand(name, '--client-id ID', '--port PORT')}\``
          : `\`${loginCommand(name)}\` tries again`;
    throw loginError(`the login to ${printable(name)} failed: ${why}`, hint);
  }
}

/** Refuses pages that no browser should open: whatever is not https, except on this machine for a server that is on it too. */
function checkPage(page: URL, { name, url }: ManagedServer): void {
  const isLocal = [page, new URL(url)].every(({ hostname }) => isLoopback(hostname.replace(/^\[|\]$/g, '')));
  const isPlain = page.username === '' && page.password === '';
  if (isPlain && (page.protocol === 'https:' || (page.protocol === 'http:' && isLocal))) return;
  throw loginError(
    `the login to ${printable(name)} failed: its page for people is at an address that clawai does not open (${shown(page.protocol)})`,
    'ask who runs the server',
  );
}

interface Asked {
  readonly server: ManagedServer;
  readonly begun: BegunLogin;
  readonly isOther: boolean;
  readonly before: string | undefined;
  /** The scopes that the last login did not give. */
  readonly more: string | undefined;
}

/** Shows where the login leads to, and asks about it if a person is there. */
async function agree({ server, begun, isOther, before, more }: Asked): Promise<boolean> {
  const { page, issuer, servers } = begun;
  const scopes = page.searchParams.get('scope');
  note(`${printable(server.name)} wants you to log in at ${printable(page.host)} (authorization server: ${shown(issuer)})`);
  note(scopes === null ? 'it asks for no particular rights' : `it asks for these rights (scopes): ${shown(scopes)}`);
  if (more !== undefined) warn(`these are more rights than your last login gave: ${shown(more)}`);
  if (servers.length > 1)
    note(
      `the server names ${servers.length} authorization servers (--authorization-server takes another): ${shown(servers.join(', '))}`,
    );
  if (isOther) warn(`this is another authorization server than before, which was ${shown(before ?? '')}`);
  const isAsked = process.stdin.isTTY && process.stdout.isTTY;
  if (isAsked) return askYes(`Log in at ${printable(page.host)}?`);
  if (!isOther) return true;
  throw loginError(
    'the server names another authorization server than before, and nobody is here to be asked',
    `run \`${loginCommand(server.name)}\` in a terminal, or \`clawai logout ${quoteWord(server.name)}\` first`,
  );
}

async function waitForAnswer(
  listener: RedirectListener,
  page: URL,
  { isBrowserUsed }: LogInOptions,
): Promise<RedirectAnswer | undefined> {
  const isOpened = isBrowserUsed && (await openPage(page));
  const start = isOpened
    ? 'Your browser has the page. If you do not see it, open this address:'
    : 'Open this address in a browser:';
  process.stdout.write(`${start}\n\n${page.href}\n\n`);
  note('waiting until you have logged in there, for five minutes at most');
  note('if that browser is on another machine, it ends at a page that it cannot load: paste the address of that page here');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() !== '' && !listener.take(line.trim())) note('that is no answer to this login');
  });
  try {
    return await listener.answer;
  } finally {
    lines.close();
    process.stdin.unref?.();
  }
}

/** Errors of a parser are a list in JSON, and servers' words may have any number of lines. */
function reasonIn({ name, message }: Error): string {
  if (name !== 'ZodError') return message.split('\n')[0] ?? '';
  const [first] = JSON.parse(message) as readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
  return `an answer of its authorization server is invalid: ${first?.path.map(String).join('.')}: ${first?.message}`;
}

function shown(text: string): string {
  return printable(text.slice(0, MOST_SHOWN));
}
