import type { SavedFinding, SavedScan, SavedServer } from './saved-scan.ts';
import { type Scan, type ScanFinding, type ScannedDefinition, type ScannedServer, serverKey } from './scanned.ts';

/** The changes of one server since another scan. */
export interface ServerChanges {
  readonly server: ScannedServer;
  /** `new`: it was in no config. `relaunched`: it is started or reached in another way. */
  readonly status: 'new' | 'relaunched' | 'known';
  readonly added: readonly ScannedDefinition[];
  readonly changed: readonly ScannedDefinition[];
  readonly removed: readonly ScannedDefinition[];
  readonly newFindings: readonly ScanFinding[];
  readonly goneFindings: readonly SavedFinding[];
}

export interface ScanChanges {
  /** The time of the scan before, in milliseconds since the epoch. */
  readonly since: number;
  /** Only servers with a change. */
  readonly servers: readonly ServerChanges[];
  /** Servers that are in no config any more. */
  readonly goneServers: readonly Pick<SavedServer, 'name' | 'places'>[];
  readonly files: readonly { readonly file: string; readonly newFindings: readonly ScanFinding[] }[];
}

/**
 * Compares a scan with a saved one. Where only one of them looked at a server's definitions, these are not compared.
 */
export function compareScans(saved: SavedScan, scan: Scan): ScanChanges {
  const before = new Map(saved.servers.map((server) => [serverKey(server), server]));
  const now = new Set(scan.servers.map(serverKey));
  const filesBefore = new Map(saved.files.map(({ file, findings }) => [file, findings]));
  return {
    since: saved.time,
    servers: scan.servers.map((server) => compareServer(before.get(serverKey(server)), server)).filter(hasChanges),
    goneServers: saved.servers.filter((server) => !now.has(serverKey(server))),
    files: scan.files.flatMap(({ file, findings }) => {
      const newFindings = without(findings, filesBefore.get(file) ?? []);
      return newFindings.length === 0 ? [] : [{ file, newFindings }];
    }),
  };
}

function compareServer(before: SavedServer | undefined, server: ScannedServer): ServerChanges {
  if (before === undefined) {
    return { server, status: 'new', added: [], changed: [], removed: [], newFindings: server.findings, goneFindings: [] };
  }
  const isComparable = before.isLooked && server.looked.kind !== 'not';
  // A definition is not gone because a part was not looked at.
  const isWhole = isComparable && server.skipped.length === 0;
  const old = new Map(before.definitions.map((each) => [nameOf(each), each.fingerprint]));
  const kept = new Set(server.definitions.map(nameOf));
  const known = server.definitions.filter((each) => old.has(nameOf(each)));
  return {
    server,
    status: before.launchFingerprint === server.launchFingerprint ? 'known' : 'relaunched',
    added: isComparable ? server.definitions.filter((each) => !old.has(nameOf(each))) : [],
    changed: isComparable ? known.filter((each) => old.get(nameOf(each)) !== each.fingerprint) : [],
    removed: isWhole ? before.definitions.filter((each) => !kept.has(nameOf(each))) : [],
    newFindings: without(server.findings, before.findings),
    goneFindings: isWhole ? without(before.findings, server.findings) : [],
  };
}

function hasChanges({ status, ...lists }: ServerChanges): boolean {
  const { added, changed, removed, newFindings, goneFindings } = lists;
  return status !== 'known' || [added, changed, removed, newFindings, goneFindings].some((list) => list.length > 0);
}

/** The findings that the others do not have. */
function without<F extends SavedFinding>(findings: readonly F[], others: readonly SavedFinding[]): readonly F[] {
  const known = new Set(others.map(({ id, subject }) => `${id}\0${subject}`));
  return findings.filter(({ id, subject }) => !known.has(`${id}\0${subject}`));
}

function nameOf({ kind, name }: Pick<ScannedDefinition, 'kind' | 'name'>): string {
  return `${kind}\0${name}`;
}
