import { foldName } from '../core/registry/deceptive-names.ts';
import { finding } from './judge-launch.ts';
import type { ScanFinding } from './scanned.ts';

/** The names of one server. */
export interface NamedServer {
  readonly name: string;
  /** Ids of its clients: only servers of one client meet. */
  readonly clients: readonly string[];
  /** Names the program, so that one program with two configurations does not count. */
  readonly program: string;
  /** Names of tools and prompts, each once. */
  readonly tools: readonly string[];
}

/**
 * Judges names that servers of one client share, or that look alike. The later of two servers has the finding, since the first one that
 * was there is probably the one that is meant.
 *
 * @returns the findings of each server, in order
 */
export function judgeNames(servers: readonly NamedServer[]): readonly (readonly ScanFinding[])[] {
  const found = servers.map((): ScanFinding[] => []);
  for (const [at, server] of servers.entries()) {
    const earlier = servers.slice(0, at).filter((other) => meet(other, server));
    const owners = ownersOf(earlier);
    for (const tool of server.tools) found[at]?.push(...judgeTool(tool, owners.get(foldName(tool))));
    found[at]?.push(...judgeServerName(server, earlier));
  }
  return found;
}

function meet(one: NamedServer, other: NamedServer): boolean {
  return one.program !== other.program && one.clients.some((client) => other.clients.includes(client));
}

interface Owned {
  readonly tool: string;
  readonly server: string;
}

/** The first owner of each name, by the name's look; an exact namesake counts before one that looks alike. */
function ownersOf(servers: readonly NamedServer[]): ReadonlyMap<string, readonly Owned[]> {
  const owners = new Map<string, Owned[]>();
  for (const { name, tools } of servers) {
    for (const tool of tools) {
      const fold = foldName(tool);
      const known = owners.get(fold);
      if (known === undefined) owners.set(fold, [{ tool, server: name }]);
      else if (known.length < MOST_OWNERS && !known.some((owned) => owned.tool === tool)) known.push({ tool, server: name });
    }
  }
  return owners;
}

/** Most spellings of one look that are kept. */
const MOST_OWNERS = 16;

function judgeTool(tool: string, owners: readonly Owned[] = []): readonly ScanFinding[] {
  const same = owners.find((owned) => owned.tool === tool);
  if (same !== undefined) {
    return [
      finding('same-name', {
        severity: 'medium',
        subject: tool,
        message: `${same.server} has it too, so an agent may mean the other`,
        todo: 'name the server in rules, or keep one of the two',
      }),
    ];
  }
  const [alike] = owners;
  // Separators and case tell names apart for people as well.
  if (alike === undefined || plain(alike.tool) === plain(tool)) return [];
  return [
    finding('alike-name', {
      severity: 'high',
      subject: tool,
      message: `it looks like ${alike.tool} of ${alike.server}, and is another name`,
      todo: 'remove the one that you did not mean',
    }),
  ];
}

function judgeServerName(server: NamedServer, earlier: readonly NamedServer[]): readonly ScanFinding[] {
  if (earlier.some(({ name }) => name === server.name)) {
    const message = 'another server of this client has the same name, so one stands for the other';
    const todo = 'give them different names: rules and pins go by them';
    return [finding('same-server-name', { severity: 'medium', subject: '', message, todo })];
  }
  const fold = foldName(server.name);
  const alike = earlier.find(({ name }) => foldName(name) === fold && plain(name) !== plain(server.name));
  if (alike === undefined) return [];
  const message = `its name looks like ${alike.name}, which is another server`;
  return [finding('alike-name', { severity: 'high', subject: '', message, todo: 'remove the one that you did not mean' })];
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[ ._-]/g, '');
}
