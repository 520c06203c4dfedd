import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { isLoopback } from '../../config/addresses.ts';
import { showUrl } from '../../remote/remote-server.ts';
import { SocketOwners } from '../../session/socket-owner.ts';
import { describeLogin } from '../login/login-state.ts';
import { groupWays, namesOf } from '../wrap/ways-out.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { loginCommand } from '../../remote/login/login-command.ts';
import type { Standing, Standings } from '../wrap/wrap-standing.ts';
import { toFailures } from './check-settings.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Checks whether remote servers can be reached through `clawai serve`, if anything leads to it. */
export function checkRemote({ files, remote }: Standings): readonly Check[] {
  const leading = files
    .flatMap(({ servers }) => servers)
    .filter(({ state, url }) => url !== undefined && (state === 'wrapped' || state === 'unrecorded'));
  return [
    ...checkServing(leading, remote),
    ...checkKnown(leading, remote),
    ...checkPlain(remote),
    ...checkLogins(remote),
    // Faults of the config are reported by its own check.
    ...(remote.error?.code.startsWith('remote_state_') === true ? toFailures('state', remote.error) : []),
  ];
}

type Remote = Standings['remote'];

function checkServing(leading: readonly Standing[], { serving }: Remote): readonly Check[] {
  if (serving.kind === 'running') {
    const { url, pid } = serving.record;
    const elsewhere = leading.filter(({ isCurrent }) => !isCurrent);
    return [
      ok('serve', `\`clawai serve\` runs at ${url} (process ${pid})`),
      ...groupWays(elsewhere).map(({ servers, commands }) => {
        const text = `the URLs of ${namesOf(servers)} lead to another address than ${url}, at which \`clawai serve\` runs`;
        return fail('serve', text, commands.length === 0 ? 'edit the entry' : commands.join(', or '));
      }),
    ];
  }
  const what = serving.kind === 'stopped' ? '`clawai serve` is not running' : `\`clawai serve\` is not well: ${serving.why}`;
  if (leading.length > 0) {
    return [fail('serve', `${what}, so nobody reaches ${namesOf(leading)}`, 'start it: clawai serve')];
  }
  return serving.kind === 'stopped'
    ? [ok('serve', `${what}, and no remote server is wrapped`)]
    : [warn('serve', what, `end process ${serving.record.pid}, and start it anew: clawai serve`)];
}

function checkKnown(leading: readonly Standing[], { routes, error }: Remote): readonly Check[] {
  // An unreadable state is the only fault to report.
  if (error !== undefined) return [];
  const unknown = leading.filter(({ url = '', upstream }) => upstream === undefined && !routes.isDeclared(url));
  if (unknown.length === 0) return [];
  const text = `clawai does not remember where the URLs of ${namesOf(unknown)} lead`;
  const names = [...new Set(unknown.map(({ server }) => quoteWord(server)))].join(' ');
  return [
    fail('serve', text, `clawai unwrap ${names} gives back theirs, as far as a record has them; then: clawai wrap ${names}`),
  ];
}

/** Warns of servers without TLS: anybody on the way can read and change what they say. */
function checkPlain({ servers }: Remote): readonly Check[] {
  return servers
    .filter(({ group, url }) => group === 'declared' && isPlain(url))
    .map(({ name, url }) =>
      warn('serve', `${name} is reached without encryption: ${showUrl(url)}`, 'declare it with an https URL'),
    );
}

/** Warns of servers that clawai has no token for. */
function checkLogins({ logins }: Remote): readonly Check[] {
  return logins.map((login) =>
    login.isLoggedIn
      ? ok('login', `${login.server}: ${describeLogin(login)}`)
      : warn('login', `${login.server} wants a login: ${login.problem}`, loginCommand(login.server)),
  );
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/**
 * Checks whether the caller of a connection to `clawai serve` can be found, by a connection of our own.
 *
 * @param owners finds out whose a connection is
 */
export async function checkCallers(
  { remote: { serving } }: Pick<Standings, 'remote'>,
  owners = new SocketOwners(),
): Promise<readonly Check[]> {
  if (serving.kind !== 'running') return [];
  // A connection to ourselves that fails finds no caller.
  const isFound = await findsUs(owners).catch(() => false);
  return isFound
    ? [
        ok(
          'sessions',
          'the programs that connect to `clawai serve` are found by their connections, so what a client starts and what it reaches by URL are one session',
        ),
      ]
    : [
        warn(
          'sessions',
          'this system does not say which program connects to `clawai serve`, so all that comes by the URLs of one client is one session, with the stdio servers that the client used last',
        ),
      ];
}

async function findsUs(owners: Pick<SocketOwners, 'find'>): Promise<boolean> {
  const server = createServer().listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    try {
      await once(client, 'connect');
      const owner = await owners.find({
        clientAddress: '127.0.0.1',
        clientPort: client.localPort ?? 0,
        serverAddress: '127.0.0.1',
        serverPort: port,
      });
      return typeof owner === 'object' && 'pid' in owner && owner.pid === process.pid;
    } finally {
      client.destroy();
    }
  } finally {
    server.close();
  }
}
