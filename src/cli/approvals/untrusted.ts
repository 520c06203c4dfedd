import { needsYes } from '../mcp/registry/mcp-approve.ts';
import { commandFor, type Entry, entryLabel, listEntries, serverLabel } from '../mcp/registry/entries.ts';
import { entryJson } from '../mcp/registry/entry-json.ts';
import { openRegistry } from '../mcp/registry/open-registry.ts';

/**
 * Finds what servers declare and nobody has trusted as it is: new, changed, or with a finding of `high` or `critical`. Small findings,
 * which honest tools have too, do not wait for a person. Throws ClawaiError `config_*` and `store_*`.
 */
export async function findUntrusted(config: string | undefined): Promise<readonly Entry[]> {
  const { reader } = await openRegistry(config);
  if (reader === undefined) return [];
  try {
    // A definition that its server no longer lists reaches nobody.
    const entries = listEntries(reader, {}).filter((entry) => entry.isListed && needsYes(entry) && isPressing(entry));
    // As long as nobody trusts how it is started, the rest of it is not worth a line each.
    const refused = new Set(entries.filter(({ kind, status }) => kind === 'server' && status === 'new').map(serverLabel));
    return entries.filter((entry) => entry.kind === 'server' || !refused.has(serverLabel(entry)));
  } finally {
    reader.close();
  }
}

/** One line for each: what it is, why it waits, and the command that shows and trusts it. Empty where there is nothing. */
export function formatUntrusted(entries: readonly Entry[]): string {
  if (entries.length === 0) return '';
  const lines = entries.map((entry) => `  ${entryLabel(entry)}: ${describeWhy(entry)}\n    ${commandFor(entry)}\n`);
  return `what servers declare, and is not trusted as it is:\n${lines.join('')}`;
}

/** One line of JSON: as `clawai mcp registry list --json` has it, with what it waits for. */
export function untrustedJson(entry: Entry): string {
  return `{"waits_for":"trust",${entryJson(entry).slice(1)}`;
}

function isPressing({ status, detections }: Entry): boolean {
  return status !== 'pinned' || detections?.severity === 'high' || detections?.severity === 'critical';
}

function describeWhy({ status, detections }: Entry): string {
  if (status === 'changed') return 'changed since it was trusted';
  return status === 'new' ? 'new' : `something was found in it (${detections?.severity ?? 'none'})`;
}
