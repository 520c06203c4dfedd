import { relative, sep } from 'node:path';
import type { ScanChanges } from '../../scan/compare-scans.ts';
import { FINDING_KINDS } from '../../scan/finding-kinds.ts';
import type { EntryPlace, Scan, ScanFinding, ScannedServer } from '../../scan/scanned.ts';
import { type Annotation, formatGithubCommands, formatSarifLog } from '../policy/annotations.ts';
import { isoTime } from '../terminal/layout.ts';
import { prettyJson } from '../terminal/text.ts';
import { summarise } from './scan-text.ts';

/** One JSON object: every server with all of its findings, and the changes if there is something to compare with. */
export function formatJsonScan(scan: Scan, changes: ScanChanges | undefined): string {
  const { time, servers, files } = scan;
  return prettyJson({
    time: isoTime(time),
    complete: servers.every(isComplete) && files.every(({ problem }) => problem === undefined),
    servers: servers.map(toFields),
    files: files.map(({ file, clients, findings, problem }) => ({ file, clients, error: problem ?? null, findings })),
    ...(changes !== undefined && { changes: changesToFields(changes) }),
  });
}

/** Tells whether all that a client would start was looked at. */
export function isComplete({ looked, skipped }: ScannedServer): boolean {
  return (looked.kind !== 'not' || looked.isOff === true) && skipped.length === 0;
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
    findings: findings.map(({ quotes = [], ...finding }) => ({ ...finding, quotes })),
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
  const annotations = annotate(scan, cwd);
  const kinds = Object.entries(FINDING_KINDS).map(([id, summary]) => ({ id: `scan/${id}`, summary }));
  const detected = new Map(
    annotations.flatMap(({ id }) =>
      id.startsWith('scan/detection/') ? [[id, 'Detection found a known pattern in a text']] : [],
    ),
  );
  return formatSarifLog([...kinds, ...Array.from(detected, ([id = '', summary = '']) => ({ id, summary }))], annotations);
}

/** Workflow commands of GitHub Actions, and a line that sums up. */
export function formatGithubScan(scan: Scan, cwd: string): string {
  return formatGithubCommands(annotate(scan, cwd), summarise(scan, 'low'));
}

const LEVELS = { low: 'info', medium: 'warning', high: 'error', critical: 'error' } as const;

function annotate({ servers, files }: Scan, cwd: string): readonly Annotation[] {
  const of = (
    name: string,
    { file, line }: Pick<EntryPlace, 'file'> & { readonly line?: number },
    found: ScanFinding,
  ): Annotation => ({
    id: `scan/${found.id}`,
    level: LEVELS[found.severity],
    place: { file: shortest(file, cwd), ...(line !== undefined && { line, column: 1 }) },
    title: name,
    message: `${[name, found.subject].filter((part) => part !== '').join(', ')}: ${found.message}`,
    hint: found.todo,
  });
  return [
    ...servers.flatMap(({ name, places: [first], findings }) => findings.map((found) => of(name, first, found))),
    ...files.flatMap(({ file, findings }) => findings.map((found) => of('', { file }, found))),
    ...servers
      .filter((server) => !isComplete(server))
      .map(({ name, places: [{ file, line }], looked, skipped }): Annotation => ({
        id: 'scan/not-looked-at',
        level: 'info',
        place: { file: shortest(file, cwd), line, column: 1 },
        title: name,
        message: `${name} was not looked at: ${looked.kind === 'not' ? looked.why : skipped.join('; ')}`,
      })),
  ];
}

/** Relative within the working directory, which is the root of the repository in CI. */
function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === '..' || path.startsWith(`..${sep}`) ? file : path;
}
