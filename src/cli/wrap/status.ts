import { problemOf as problemOfConfig } from '../../config/describe-change.ts';
import { EXIT } from '../../errors.ts';
import { showUrl } from '../../remote/remote-server.ts';
import { formatAgo } from '../terminal/layout.ts';
import { describeLogin } from '../login/login-state.ts';
import { readHooks } from '../../wrap/hooks/read-hooks.ts';
import { defineCommand } from '../command.ts';
import { hooksStatus, hookSurroundings, isHookWrong, listHooks } from './hooks.ts';
import { describePolicies, type PolicyInForce, readPoliciesInForce } from './policies-in-force.ts';
import { findRefused, formatRefused, type RefusedEntry } from '../mcp/registry/refused-entries.ts';
import { type ListedFile, type ListedRow, type Tone, printNotes, printOutcomes } from './server-listing.ts';
import { isQuiet, withProgress } from '../terminal/notes.ts';
import { printable, visible, shortPath, joinTexts } from '../terminal/text.ts';
import { statusJson } from './status-json.ts';
import { projectOf, remarksOfPolicies, SKIP_REASONS } from './wrap-report.ts';
import {
  isDenied,
  isListedByServe,
  isOfConfig,
  isOpen,
  isUnseen,
  readStandings,
  type Standing,
  type StandingFile,
  type Standings,
} from './wrap-standing.ts';
import { listWays, namesOf, waysToCurrent } from './ways-out.ts';
import { clientName, lookAround, namesWithClients, type Surroundings } from './wrap-surroundings.ts';
import { stdoutLook } from '../terminal/colour.ts';

/** `clawai status`: every server of every client, whether clawai is in front of it, and when it last said something. */
export const statusCommand = defineCommand({
  meta: {
    name: 'status',
    description: 'Show every MCP server of every client on this machine: whether it is wrapped, and when it was last seen.',
    notes: [
      'A server is seen when it leaves an event in the store. If a wrapped server was never seen, restart its client.',
      'A denied or hidden definition is shown with the command to review and approve it.',
      'A hook is listed for each agent that has run on this machine. If one that was installed is gone, changed or switched off, --check fails.',
      '--check fails if a server would, or may, start without a clawai that enforces your policy. It also fails if every call of a wrapped server is denied until a person approves it, if a config cannot be read, if your policy or the project\'s is faulty, or if clawai\'s own config is faulty or says mode = "observe". Servers that clawai cannot stand in front of do not count: those in files of an administrator or a plugin, and remote ones while `clawai serve` is not running.',
    ],
    exitCodes: { 1: '--check failed' },
    examples: ['clawai status', 'clawai status --check'],
  },
  args: {
    check: { type: 'boolean', description: 'Exit with 1 if a server is not wrapped, or all its calls are denied (for CI).' },
    json: { type: 'boolean', description: 'Print one JSON object.' },
  },
  async run({ flags }) {
    const around = await lookAround();
    const standings = await withProgress('looking at configs and servers', readStandings(around));
    const servers = standings.files.flatMap((file) => file.servers);
    const wrong = servers.filter(isWrong);
    const unread = standings.files.filter((file) => !file.isTheirs && problemOf(file) !== undefined);
    const refused = standings.isObserving ? [] : await findRefused();
    const hooks = readHooks(hookSurroundings(around));
    const policies = await readPoliciesInForce(standings.stateDir);
    const beside = { around, rows: listHooks(hooks, Date.now()), refused, policies };
    if (flags.json)
      process.stdout.write(
        statusJson(standings, {
          launcher: around.launcher.words,
          refused,
          policies,
          hooks: hooksStatus(hooks),
        }),
      );
    else report(standings, beside);
    const isStopped = standings.storeError !== undefined && isOfConfig(standings.storeError);
    const faults = [wrong, unread, hooks.filter(isHookWrong), policies.filter(isFaulty)];
    return flags.check && (faults.some(({ length }) => length > 0) || isStopped || standings.isObserving)
      ? EXIT.mismatch
      : EXIT.ok;
  },
});

/** Everything to report beside the servers. */
interface Beside {
  readonly around: Surroundings;
  readonly rows: readonly ListedFile[];
  readonly refused: readonly RefusedEntry[];
  readonly policies: readonly PolicyInForce[];
}

function report(standings: Standings, beside: Beside): void {
  const { around, rows, refused, policies } = beside;
  const now = Date.now();
  if (isQuiet()) return reportWrong(standings, beside, now);
  printOutcomes([...standings.files.map((file) => toListed(file, now)), ...rows]);
  printNotes(notesAbout(standings, around));
  process.stdout.write(formatRefused(refused, stdoutLook().width));
  process.stdout.write(
    `${describePolicies(policies)}${configLine(standings)}${serveLine(standings)}\n${loginLines(standings)}${providerLines(standings)}` +
      `${summarise(standings.files)}\n`,
  );
}

/** The status in parts, for others than a terminal. */
export interface StatusParts {
  readonly files: readonly ListedFile[];
  readonly hooks: readonly ListedFile[];
  readonly isObserving: boolean;
  /** A line on `clawai serve`. */
  readonly serve: string;
  /** A fault of clawai's own config. */
  readonly problem: string | undefined;
}

/** Looks at all clients, servers and hooks of this machine. */
export async function listStatus(): Promise<StatusParts> {
  const around = await lookAround();
  const standings = await readStandings(around);
  const now = Date.now();
  return {
    files: standings.files.map((file) => toListed(file, now)),
    hooks: listHooks(readHooks(hookSurroundings(around)), now),
    isObserving: standings.isObserving,
    serve: serveLine(standings),
    problem: standings.storeError?.message,
  };
}

function isFaulty({ fault }: PolicyInForce): boolean {
  return fault !== undefined;
}

/** Tells whether `--check` fails because of the server. */
function isWrong(server: Standing): boolean {
  return isOpen(server) || isDenied(server);
}

/** Reports for `--quiet`: files and servers that make `--check` fail, and definitions that are refused; nothing if there are none. */
function reportWrong(standings: Standings, { rows, refused, policies }: Beside, now: number): void {
  const isBad = ({ rows: listed, problem }: ListedFile): boolean =>
    problem !== undefined || listed.some(({ tone }) => tone === 'bad');
  const wrong = standings.files.map((file) => ({ ...file, servers: file.servers.filter(isWrong) }));
  printOutcomes([...wrong.map((file) => toListed(file, now)), ...rows.filter(isBad)]);
  const faulty = policies.filter(isFaulty);
  process.stdout.write(`${formatRefused(refused, stdoutLook().width)}${describePolicies(faulty)}${configLine(standings)}`);
}

function toListed(file: StandingFile, now: number): ListedFile {
  return {
    file: shortPath(file.file),
    readers: file.clients.map(clientName).join(', '),
    problem: problemOf(file),
    rows: file.servers.map((server) => toRow(server, now)),
  };
}

const STATES: Readonly<Record<Standing['state'], { readonly word: string; readonly tone: Tone }>> = {
  wrapped: { word: 'wrapped', tone: 'good' },
  unrecorded: { word: 'by hand', tone: 'good' },
  drifted: { word: 'changed', tone: 'bad' },
  gone: { word: 'removed', tone: 'plain' },
  unwrapped: { word: 'not wrapped', tone: 'bad' },
  remote: { word: 'remote', tone: 'attention' },
  other: { word: 'other', tone: 'plain' },
  malformed: { word: 'malformed', tone: 'plain' },
};

function toRow(server: Standing, now: number): ListedRow {
  const { state, isDisabled, isCurrent, obstacle, policy, detail, url } = server;
  const isManaged = server.scope === 'managed';
  const { word, tone } = state === 'unwrapped' && isManaged ? { word: 'managed', tone: 'attention' as const } : wordFor(server);
  const texts: (string | undefined)[] = [isWrapped(server) ? formatSeen(server, now) : undefined];
  if (server.refusal !== undefined && isDenied(server))
    texts.push(`every call is denied: ${server.refusal.why}; ${server.refusal.command}`);
  if (policy !== undefined) texts.push(`policy ${shortPath(policy)}`);
  if (state === 'unrecorded') texts.push('there is no record of what stood there before');
  if (state === 'drifted') texts.push('it was wrapped, and somebody gave it another command or URL since');
  if (state === 'gone') texts.push('it was wrapped, and somebody removed it since');
  if (obstacle !== undefined && (state === 'unwrapped' || state === 'remote' || obstacle === 'own-entry'))
    texts.push(SKIP_REASONS[obstacle]);
  if (state === 'other' || state === 'malformed') texts.push(detail);
  texts.push(server.weakness);
  if (!isCurrent)
    texts.push(url === undefined ? 'it starts another clawai than this one' : 'it leads to another address than `clawai serve`');
  if (isDisabled) texts.push('the client has it switched off');
  texts.push(projectOf(server));
  return { state: word, tone, server: server.server, text: joinTexts(texts, '; ') };
}

/** The word for a server. A malformed entry is as bad as one without clawai. */
function wordFor(server: Standing): { readonly word: string; readonly tone: Tone } {
  if (server.obstacle === 'own-entry') return { word: 'own entry', tone: 'good' };
  const { word, tone } = STATES[server.state];
  if (server.weakness !== undefined && isOpen(server)) return { word: 'not enforced', tone: 'bad' };
  if (isDenied(server)) return { word: 'denied', tone: 'bad' };
  if (server.state === 'remote' && isOpen(server)) return STATES.unwrapped;
  return { word, tone: isOpen(server) ? 'bad' : tone };
}

function isWrapped({ state }: Standing): boolean {
  return state === 'wrapped' || state === 'unrecorded';
}

function formatSeen(server: Standing, now: number): string {
  const { lastSeen, seenBy } = server;
  if (lastSeen !== undefined) return `seen ${formatAgo(lastSeen, now)}`;
  if (seenBy === undefined) return 'never seen';
  if (isListedByServe(server)) return 'listed by clawai serve; no client yet';
  const who = seenBy.client === '' ? 'a client that has not said which it is' : visible(JSON.stringify(seenBy.client));
  return `seen ${formatAgo(seenBy.time, now)} by ${who}`;
}

function problemOf({ file, error, problems, isGone }: StandingFile): string | undefined {
  if (isGone) return undefined;
  if (error !== undefined) return error.message;
  const [first] = problems;
  if (first === undefined) return undefined;
  const { message, line, column } = first.problem;
  return `${clientName(first.client)} cannot read it: ${shortPath(file)}:${line}:${column}: ${message}`;
}

function notesAbout({ files, storeError, remote }: Standings, { launcher, policies }: Surroundings): readonly string[] {
  const servers = files.flatMap((file) => file.servers);
  const notes: string[] = [];
  if (remote.error?.code.startsWith('remote_state_') === true) notes.push(remote.error.message);
  if (launcher.warning !== undefined) notes.push(launcher.warning);
  notes.push(...remarksOfPolicies(policies));
  if (storeError !== undefined && !isOfConfig(storeError))
    notes.push(`when servers were last seen is not known: ${storeError.message}`);
  const unseen = servers.filter((server) => isWrapped(server) && isUnseen(server) && !server.isDisabled);
  if (unseen.length > 0 && storeError === undefined) {
    notes.push(
      `wrapped and never seen: ${namesWithClients(unseen)}. Restart their clients; \`clawai doctor --live\` proves that wrapping works`,
    );
  }
  const doubtful = servers.filter((server) => server.isDoubtful);
  if (doubtful.length > 0) {
    notes.push(`malformed, and a client may start them all the same: ${namesOf(doubtful)}. Correct them, then wrap them`);
  }
  notes.push(...waysToCurrent(servers.filter((server) => !server.isCurrent && !isOpen(server))));
  for (const { file, isRecordDamaged, isGone } of files) {
    if (isGone)
      notes.push(`${shortPath(file)} was wrapped and is gone; \`clawai unwrap --all\` forgets it, with all that is wrapped`);
    if (isRecordDamaged) notes.push(`the record of ${shortPath(file)} is damaged; unwrapping goes by the command lines instead`);
  }
  return notes;
}

/** A line on the config, only if something is wrong with it: most people have none. */
function configLine({ storeError, isObserving }: Standings): string {
  if (isObserving) return 'config: mode = "observe": every call is recorded and none is denied\n';
  if (storeError === undefined || !isOfConfig(storeError)) return '';
  return `config: ${problemOfConfig(storeError)}; nothing that is wrapped can start\n`;
}

function summarise(files: readonly StandingFile[]): string {
  const servers = files.flatMap((file) => file.servers).filter(({ state }) => state !== 'gone');
  if (servers.length === 0) return 'No MCP servers were found in the configs of any known client.';
  const wrapped = servers.filter((server) => !isOpen(server) && (isWrapped(server) || server.obstacle === 'own-entry')).length;
  const open = servers.filter(isOpen).length;
  const remote = servers.filter(
    (server) => server.state === 'remote' && !isOpen(server) && server.obstacle !== 'own-entry',
  ).length;
  const denied = servers.filter((server) => isDenied(server) && !isOpen(server));
  const parts = [
    `${wrapped} of ${servers.length} servers wrapped${denied.length > 0 ? `, ${denied.length} of them denied` : ''}`,
  ];
  if (remote > 0) parts.push(`${remote} remote, without clawai`);
  const others = servers.length - wrapped - open - remote;
  if (others > 0) parts.push(`${others} that cannot be wrapped`);
  return `${parts.join('; ')}.${open > 0 ? ` ${open} not protected${listWays(servers.filter(isOpen))}` : ''}${listDenied(denied)}`;
}

/** The commands that let calls of servers pass, as a text behind the others; empty if there are none. */
function listDenied(denied: readonly Standing[]): string {
  const groups = [...Map.groupBy(denied, ({ refusal }) => refusal?.command ?? '')];
  if (groups.length === 0) return '';
  const lines = groups.map(([command, servers]) => {
    const todo = command.startsWith('clawai ') ? `\`${command}\`` : command;
    return groups.length === 1 ? ` ${todo}` : `\n  ${printable(`${namesOf(servers)}: ${todo}`)}`;
  });
  return `\nDenied until a person approves ${denied.length === 1 ? 'it' : 'them'}:${lines.join('')}`;
}

function serveLine({ remote: { serving } }: Standings): string {
  if (serving.kind === 'stopped') return 'serve: not running';
  const { url, pid } = serving.record;
  return serving.kind === 'running' ? `serve: running at ${url} (process ${pid})` : `serve: not well: ${serving.why} (${url})`;
}

function loginLines({ remote: { logins } }: Standings): string {
  return logins.map((login) => `${printable(`${login.server}: ${describeLogin(login)}`)}\n`).join('');
}

function providerLines({ remote: { providers } }: Standings): string {
  return providers.map(({ name, baseUrl }) => `LLM provider ${name}: ${showUrl(baseUrl)}, through \`clawai serve\`\n`).join('');
}
