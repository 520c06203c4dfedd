import { basename, relative, sep } from 'node:path';
import type { ScanChanges } from '../../scan/compare-scans.ts';
import { FINDING_KINDS } from '../../scan/finding-kinds.ts';
import {
  type EntryPlace,
  isComplete,
  isWhole,
  messageOf,
  type Scan,
  type ScanFinding,
  type ScannedServer,
} from '../../scan/scanned.ts';
import { type Annotation, type AnnotationKind, formatGithubCommands, formatSarifLog } from '../policy/annotations.ts';
import { isoTime } from '../terminal/layout.ts';
import { joinTexts, prettyJson } from '../terminal/text.ts';
import { summarise } from './scan-text.ts';

/** One JSON object: every server with all of its findings, and the changes if there is something to compare with. */
export function formatJsonScan(scan: Scan, changes: ScanChanges | undefined): string {
  const { time, servers, files } = scan;
  return prettyJson({
    time: isoTime(time),
    complete: isWhole(scan),
    servers: servers.map(toFields),
    files: files.map(({ file, clients, findings, problem }) => ({ file, clients, error: problem ?? null, findings })),
    ...(changes !== undefined && { changes: changesToFields(changes) }),
  });
}

function toFields({ name, clients, places, launch, looked, definitions, findings, skipped }: ScannedServer) {
  return {
    server: name,
    clients,
    places: places.map(({ file, line, pointer }) => ({ file, line, pointer })),
    launch,
    looked_at: looked.kind === 'not' ? null : looked.kind,
    reason: looked.kind === 'not' ? looked.why : null,
    definitions,
    findings: findings.map(({ id, severity, subject, message, todo, quotes = [] }) => ({
      id,
      severity,
      subject,
      message,
      todo,
      quotes,
    })),
    not_looked_at: skipped,
  };
}

function changesToFields({ since, servers, goneServers, files }: ScanChanges) {
  return {
    since: isoTime(since),
    servers: servers.map(({ server, status, added, changed, removed, newFindings, goneFindings }) => ({
      server: server.name,
      status,
      added: added.map(nameOf),
      changed: changed.map(nameOf),
      removed: removed.map(nameOf),
      new_findings: newFindings.map(({ id, subject }) => ({ id, subject })),
      gone_findings: goneFindings,
    })),
    gone_servers: goneServers.map(({ name }) => name),
    files: files.map(({ file, newFindings }) => ({
      file,
      new_findings: newFindings.map(({ id, subject }) => ({ id, subject })),
    })),
  };
}

function nameOf({ kind, name }: { readonly kind: string; readonly name: string }) {
  return { kind, name };
}

/** SARIF 2.1.0: a result for each finding, at the entry of its server. */
export function formatSarifScan(scan: Scan, cwd: string): string {
  const judged = Object.entries(FINDING_KINDS).map(([id, kind]) => [`scan/${id}`, { id: `scan/${id}`, ...kind }] as const);
  const detected = scan.servers.flatMap(({ findings }) =>
    findings.flatMap(({ id, message }): [string, AnnotationKind][] => {
      if (!id.startsWith('detection/')) return [];
      const summary = `A text of a server ${message}`;
      return [[`scan/${id}`, { id: `scan/${id}`, summary, help: DETECTED_HELP }]];
    }),
  );
  return formatSarifLog([...new Map([...judged, ...detected]).values()], annotate(scan, cwd));
}

const DETECTED_HELP =
  'A model obeys such words as if you had said them. Read the text, which `clawai scan --json` quotes, before you use the server.';

/** Workflow commands of GitHub Actions, and a line that sums up. */
export function formatGithubScan(scan: Scan, cwd: string): string {
  return formatGithubCommands(annotate(scan, cwd), summarise(scan, 'low'));
}

/** Results for one server, so that none crowds out the others: code scanning refuses a log of more than 25,000. */
const MOST_RESULTS = 1000;

const LEVELS = { low: 'info', medium: 'warning', high: 'error', critical: 'error' } as const;

function annotate({ servers, files }: Scan, cwd: string): readonly Annotation[] {
  const of = (name: string, { file, line }: Pick<EntryPlace, 'file' | 'line'>, found: ScanFinding): Annotation => ({
    id: `scan/${found.id}`,
    level: LEVELS[found.severity],
    place: { file: shortest(file, cwd), line, column: 1 },
    title: name,
    message: `${joinTexts([name, found.subject])}: ${messageOf(found)}`,
    hint: found.todo,
    identity: JSON.stringify([name, found.subject]),
  });
  const missing = (name: string, { file, line }: { readonly file: string; readonly line: number }, why: string): Annotation => ({
    id: 'scan/not-looked-at',
    level: 'warning',
    place: { file: shortest(file, cwd), line, column: 1 },
    title: name,
    message: `${name} was not looked at: ${why}`,
    identity: name,
  });
  return [
    ...servers.flatMap(({ name, places: [first], findings }) => [
      ...findings.slice(0, MOST_RESULTS).map((found) => of(name, first, found)),
      ...(findings.length > MOST_RESULTS
        ? [missing(`the rest of ${name}`, first, `there are ${findings.length} findings, all of which --json has`)]
        : []),
    ]),
    ...files.flatMap(({ file, findings }) => findings.map((found) => of(basename(file), { file, line: 1 }, found))),
    ...servers
      .filter((server) => !isComplete(server))
      .map(({ name, places: [first], looked, skipped }) =>
        looked.kind === 'not' ? missing(name, first, looked.why) : missing(`a part of ${name}`, first, skipped.join('; ')),
      ),
    ...files.flatMap(({ file, problem }) => (problem === undefined ? [] : [missing(basename(file), { file, line: 1 }, problem)])),
  ];
}

/** Relative within the working directory, which is the root of the repository in CI. */
function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === '..' || path.startsWith(`..${sep}`) ? file : path;
}
