import type { DefinitionInput } from '../../core/detect/types.ts';
import { type JsonValue, parseJson } from '../../core/json.ts';
import { showUrl } from '../../remote/remote-server.ts';
import { remoteIdentity } from '../../session/ids.ts';
import type { RegisteredDefinition, RegisteredServer, RegistryReader } from '../../store/reading/registry-reader.ts';
import type { ItemGroup, Skipped } from '../mcp/inspect/items.ts';
import { scopeOf } from '../mcp/registry/entries.ts';
import { identityOf } from '../mcp/registry/entry-launch.ts';
import type { ScanTarget } from './scan-target.ts';

/** The facts of the registry on one server, for its present launch. */
export interface RecordedServer {
  readonly of: RegisteredServer;
  readonly definitions: readonly RegisteredDefinition[];
}

/**
 * Finds what the registry knows of a server as it is started now. Undefined if it has never been started, or reached, behind clawai in this
 * way: `clawai wrap` alone leaves a record of the launch and no more.
 */
export function findRecorded(reader: RegistryReader | undefined, target: ScanTarget): RecordedServer | undefined {
  const fingerprint = fingerprintOf(target);
  if (reader === undefined || fingerprint === undefined) return undefined;
  const of = reader.servers().find(({ server, seen }) => server === target.recordName && seen === fingerprint);
  if (of === undefined) return undefined;
  const isSame = ({ server, launch }: Pick<RegisteredServer, 'server' | 'launch'>): boolean =>
    server === of.server && launch === of.launch;
  const definitions = reader.definitions({ server: of.server }).filter((each) => isSame(each) && each.isListed);
  return definitions.length > 0 || reader.uses().some(isSame) ? { of, definitions } : undefined;
}

/** Fingerprint of the way in which a server is started or reached; undefined if only the client knows all of it. */
function fingerprintOf({ launch, start, project }: ScanTarget): string | undefined {
  if (launch === undefined) return undefined;
  const known = start.kind === 'startable' ? start.launch : launch;
  return known.kind === 'url'
    ? remoteIdentity(known.url, showUrl(known.url)).fingerprint
    : identityOf(known.words, project)?.fingerprint;
}

/** Reads the definitions that a server listed last. */
export function readRecorded(reader: RegistryReader, { of, definitions }: RecordedServer): ItemGroup {
  const items: DefinitionInput[] = [];
  const skipped: Skipped[] = [];
  for (const { kind, name } of definitions) {
    const text = reader.definition(scopeOf(of), kind, name)?.seenText;
    const values = text === undefined ? undefined : parse(text);
    if (values === undefined) skipped.push({ what: `${kind} ${name}`, why: 'was too large to be kept' });
    else items.push(...values.map((value) => ({ kind, name, value })));
  }
  return { server: of.server, items, skipped };
}

/** The definitions in a text of the registry, which is a list if several had one name. */
function parse(text: string): readonly JsonValue[] | undefined {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  } catch {
    // Only an edit of the store can make that.
    return undefined;
  }
}
