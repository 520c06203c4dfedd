import type { Severity } from '../../core/finding.ts';
import { SEVERITIES } from '../../core/finding.ts';
import type { ScanChanges, ServerChanges } from '../../scan/compare-scans.ts';
import { type FindingKind, rankOf, worstOf } from '../../scan/finding-kinds.ts';
import { quoteWord } from '../../core/shell/quote-word.ts';
import { messageOf, type Scan, type ScanFinding, type ScannedDefinition, type ScannedServer } from '../../scan/scanned.ts';
import type { Look } from '../terminal/colour.ts';
import { countOf, formatAgo } from '../terminal/layout.ts';
import { cutToWidth, displayWidth, joinTexts, printable, shortPath, visible, wrapWords } from '../terminal/text.ts';
import { type ListedFile, type ListedRow, renderListing, type Tone } from '../wrap/server-listing.ts';
import { clientName } from '../wrap/wrap-surroundings.ts';

const TONES = {
  low: 'plain',
  medium: 'attention',
  high: 'bad',
  critical: 'bad',
} as const satisfies Record<Severity, Tone>;

/** Names in a row before the others are only counted, and columns of one. */
const MOST_SUBJECTS = 3;
const LONGEST_NAME = 100;

/** Rows of one server before the others are only counted, so that none floods the terminal. */
const MOST_ROWS = 20;

/** Columns of one text. */
const LONGEST_TEXT = 1000;

interface TextOptions {
  readonly look: Look;
  /** The mildest severity that is listed; others are counted. */
  readonly least: Severity;
}

/** Formats a scan for people: the worst server first, each row with what to do, and one line that sums up. */
export function formatScan(scan: Scan, { look, least }: TextOptions): string {
  const isShown = ({ severity }: ScanFinding): boolean => rankOf(severity) >= rankOf(least);
  const blocks = [
    ...scan.servers.map((server) => ({
      rank: rankOfWorst(server.findings),
      block: listServer(server, isShown, roomBeside(server, look)),
    })),
    ...scan.files.map(({ file, clients, findings, problem }) => ({
      // Nobody knows what is in it.
      rank: Math.max(rankOfWorst(findings), problem === undefined ? 0 : rankOf('high') + 1),
      block: {
        file: shortPath(file),
        readers: clients.map(clientName).join(', '),
        problem: problem === undefined ? undefined : `not looked at: ${problem}`,
        rows: toRows(findings.filter(isShown)),
      },
    })),
  ];
  const listed = blocks
    .filter(({ block }) => block.rows.length > 0 || block.problem !== undefined)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ block }) => block);
  const isQuiet = (server: ScannedServer): boolean =>
    listServer(server, isShown).rows.length === 0 && (server.looked.kind !== 'not' || server.looked.isOff === true);
  const quiet = scan.servers.filter(isQuiet);
  const missing = listMissing(scan.servers);
  if (missing.rows.length > 0) listed.push(missing);
  const quoted = scan.servers.find(({ findings }) => findings.some((each) => each.quote !== undefined && isShown(each)));
  const last = [
    quoted === undefined ? '' : `\`clawai scan ${quoteWord(visible(quoted.name))} --json\` quotes more of what is to be read.`,
    quiet.length === 0 ? '' : `Nothing to do: ${quiet.map(nameWithCount).join(', ')}.`,
    summarise(scan, least),
  ].flatMap((text) => (text === '' ? [] : wrapWords(text, look.width)));
  return `${renderListing(listed, look, widestName(look))}${listed.length === 0 ? '' : '\n'}${last.join('\n')}\n`;
}

function listServer(server: ScannedServer, isShown: (finding: ScanFinding) => boolean, room = LONGEST_HEAD): ListedFile {
  const { name, clients, findings, looked, skipped, launch } = server;
  const all = toRows(findings.filter(isShown));
  const left = skipped.map((text) => row('not seen', 'attention', '', text));
  const rows = [...cutRows(all, name), ...cutRows(left, name)];
  const command = launch.map((word) => shortPath(word)).join(' ');
  const readers = joinTexts(
    [clients.map(clientName).join(', '), countTools(server), looked.kind === 'recorded' ? 'as recorded' : undefined, command],
    '; ',
  );
  return { file: visible(name), readers: cutToWidth(printable(readers), room), rows };
}

function cutRows(rows: readonly ListedRow[], server: string): readonly ListedRow[] {
  if (rows.length <= MOST_ROWS) return rows;
  const text = `${rows.length - MOST_ROWS} more like these; \`clawai scan ${quoteWord(visible(server))} --json\` has all of them`;
  return [...rows.slice(0, MOST_ROWS), row('', 'plain', '', text)];
}

/** Servers that were not looked at, with the reason and what to do; those of one reason in one row. */
function listMissing(servers: readonly ScannedServer[]): ListedFile {
  const missing = servers.flatMap(({ name, looked }) =>
    looked.kind === 'not' && looked.isOff !== true ? [{ name, text: `${looked.why} → ${looked.todo}` }] : [],
  );
  const groups = Map.groupBy(missing, ({ text }) => text);
  const rows = Array.from(groups, ([text, same]) =>
    row('not seen', 'attention', '', `${[...new Set(same.map(({ name }) => visible(name)))].join(', ')}: ${visible(text)}`),
  );
  return { file: 'Not looked at', readers: 'only their configs were', rows };
}

/** Columns up to which a tool's name pushes the texts away: less on a narrow terminal. */
function widestName({ width }: Look): number {
  return width < 120 ? 16 : 30;
}

/** Findings about the launch, whose subject is a long name that stands in the text. */
const OF_LAUNCH: ReadonlySet<string> = new Set<FindingKind>(['unpinned-package', 'moving-tag', 'plain-http']);

/** Columns of a head where there is no terminal. */
const LONGEST_HEAD = 160;

function roomBeside({ name }: ScannedServer, { width }: Look): number {
  return Math.max(20, Math.min(LONGEST_HEAD, width - displayWidth(visible(name)) - 2));
}

/** A row for each finding; those that say the same of several tools are one. */
function toRows(findings: readonly ScanFinding[]): ListedRow[] {
  const groups = Map.groupBy(findings, (found) =>
    JSON.stringify([found.id, found.severity, messageOf(found), found.todo, OF_LAUNCH.has(found.id) ? found.subject : '']),
  );
  return Array.from(groups.values(), (group): ListedRow => {
    const [first] = group;
    if (first === undefined) throw new Error('a group is empty');
    const { id, severity, todo } = first;
    const text = `${messageOf(first)} → ${todo}`;
    return OF_LAUNCH.has(id)
      ? row(severity, TONES[severity], '', visible(`${first.subject}: ${text}`))
      : row(severity, TONES[severity], namesIn(group), visible(text));
  });
}

function namesIn(group: readonly ScanFinding[]): string {
  return listNames(group.map(({ subject }) => subject));
}

function listNames(all: readonly string[]): string {
  const names = [...new Set(all)].map((name) => cutToWidth(visible(name.slice(0, LONGEST_NAME)), LONGEST_NAME));
  if (names.length <= MOST_SUBJECTS) return names.join(', ');
  return `${names.slice(0, MOST_SUBJECTS - 1).join(', ')} and ${names.length - MOST_SUBJECTS + 1} more`;
}

function countTools({ definitions, looked }: ScannedServer): string | undefined {
  if (looked.kind === 'not') return undefined;
  return countOf(definitions.filter(({ kind }) => kind === 'tool').length, 'tool');
}

function nameWithCount(server: ScannedServer): string {
  const why = server.looked.kind === 'not' ? 'switched off' : countTools(server);
  return `${visible(server.name)} (${why})`;
}

function rankOfWorst(findings: readonly ScanFinding[]): number {
  const worst = worstOf(findings);
  return worst === undefined ? 0 : rankOf(worst) + 1;
}

/** One line: how many servers, how many of them were looked at, and how much was found. */
export function summarise({ servers, files }: Scan, least: Severity): string {
  const unread = files.filter(({ problem }) => problem !== undefined).length;
  if (servers.length + unread === 0) return 'No MCP servers were found in the configs of any known client.';
  const missing = servers.filter(({ looked }) => looked.kind === 'not').length;
  const findings = [...servers, ...files].flatMap((each) => each.findings);
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  const shown = SEVERITIES.toReversed().filter((severity) => rankOf(severity) >= rankOf(least) && count(severity) > 0);
  const hidden = findings.filter(({ severity }) => rankOf(severity) < rankOf(least)).length;
  const partial = servers.filter(({ looked, skipped }) => looked.kind !== 'not' && skipped.length > 0).length;
  const whole = servers.length - missing - partial;
  const isNone = servers.length > 0 && missing === servers.length;
  const looked = joinTexts([
    servers.length === 0 ? '' : `${whole === servers.length ? 'all' : isNone ? 'none' : whole} looked at`,
    partial === 0 ? '' : `${partial} in part`,
    isNone || missing === 0 ? '' : `${missing} not`,
    unread === 0 ? '' : `${countOf(unread, 'config')} not read`,
  ]);
  const counts = shown.map((severity) => `${count(severity)} ${severity}`);
  if (hidden > 0) counts.push(`${hidden} low (--all shows them)`);
  const nothing = isNone ? 'nothing found in their configs' : 'nothing found';
  return `${countOf(servers.length, 'server')}, ${looked}: ${joinTexts(counts) || nothing}.`;
}

/** Formats the changes since a saved scan. */
export function formatChanges(
  changes: ScanChanges,
  scan: Scan,
  { look, least, now }: TextOptions & { readonly now: number },
): string {
  const blocks: ListedFile[] = [
    ...changes.servers.map(listChanges),
    ...changes.goneServers.map(({ name, places: [first] }) => ({
      file: visible(name),
      readers: shortPath(first.file),
      rows: [row('gone', 'plain', '', 'it is in no config any more')],
    })),
    ...changes.files.map(({ file, newFindings }) => ({ file: shortPath(file), readers: '', rows: toRows(newFindings) })),
  ];
  const since = `since the scan saved ${formatAgo(changes.since, now)}`;
  const head = blocks.length === 0 ? '' : `${renderListing(blocks, look, widestName(look))}\n`;
  const last = `${blocks.length === 0 ? 'Nothing has changed' : 'Changes'} ${since}. Now: ${summarise(scan, least)}`;
  return `${head}${wrapWords(last, look.width).join('\n')}\n`;
}

function listChanges({ server, status, added, changed, removed, newFindings, goneFindings }: ServerChanges): ListedFile {
  const rows = toRows(newFindings);
  if (status === 'new') rows.unshift(row('new', 'attention', '', 'this server was in no config; see that you want it'));
  if (status === 'relaunched') {
    rows.unshift(row('changed', 'bad', '', 'it is started or reached in another way; see that you meant it'));
  }
  const list = (state: string, tone: Tone, definitions: readonly ScannedDefinition[], text: string): void => {
    if (definitions.length > 0) rows.push(row(state, tone, namesOf(definitions), text));
  };
  list('changed', 'bad', changed, 'it is declared differently; read it before you use it');
  list('new', 'attention', added, 'it was not declared');
  list('gone', 'plain', removed, 'it is not declared any more');
  rows.push(...goneFindings.map(({ id, subject }) => row('solved', 'good', subject, id)));
  return { file: visible(server.name), readers: server.clients.map(clientName).join(', '), rows };
}

function namesOf(definitions: readonly ScannedDefinition[]): string {
  return listNames(definitions.map(({ kind, name }) => (name === '' ? kind : name)));
}

function row(state: string, tone: Tone, server: string, text: string): ListedRow {
  return { state, tone, server, text: cutToWidth(text, LONGEST_TEXT) };
}
