import { loadFoundPolicy } from '../../../config/policy-file.ts';
import { compilePolicy, type CompiledPolicy } from '../../../core/match/compile.ts';
import { ClawaiError } from '../../../errors.ts';
import { findingsOf } from '../../../gate/detection/findings.ts';
import { findPresentPolicy } from '../../machine/find-present-policy.ts';
import { printable, wrapWords } from '../../terminal/text.ts';
import { commandFor, type Entry, type EntryKind, entryLabel, listEntries, openRegistry } from './entries.ts';

/** A definition that the policy keeps from the model, or whose calls it denies. */
export interface RefusedEntry {
  readonly server: string;
  readonly kind: EntryKind;
  readonly name: string;
  readonly label: string;
  readonly became: 'denied' | 'hidden';
  /** A phrase without full stop. */
  readonly why: string;
  /** The command that shows it, and trusts it once a person agrees. */
  readonly command: string;
}

/** Entries that are shown; `clawai approvals` has all of them. */
const MOST_SHOWN = 10;

/**
 * Finds definitions that the policy in force here refuses. What is refused because of the way in which its server is started is told of
 * with the server, and so are its instructions. A registry or a policy that can't be read is told of elsewhere.
 */
export async function findRefused(): Promise<readonly RefusedEntry[]> {
  try {
    const { reader } = await openRegistry(undefined);
    if (reader === undefined) return [];
    try {
      const policy = compilePolicy(await loadFoundPolicy(await findPresentPolicy(undefined)));
      return listEntries(reader, {}).flatMap((entry) => toRefused(entry, policy));
    } finally {
      reader.close();
    }
  } catch (error) {
    if (error instanceof ClawaiError) return [];
    throw error;
  }
}

/** A heading and two lines for each: what it is and why, and the command. Empty where there is nothing. */
export function formatRefused(all: readonly RefusedEntry[], width: number): string {
  if (all.length === 0) return '';
  const lines = all
    .slice(0, MOST_SHOWN)
    .flatMap(({ label, became, why, command }) => [
      ...wrapWords(printable(`${label} is ${became}: ${why}`), width - 4).map((line, i) => `  ${i === 0 ? '' : '  '}${line}`),
      `    ${printable(command)}`,
    ]);
  const more = all.length - MOST_SHOWN;
  if (more > 0) lines.push(`  and ${more} more: clawai approvals`);
  return `not let through:\n${lines.join('\n')}\n\n`;
}

function toRefused(entry: Entry, policy: CompiledPolicy): readonly RefusedEntry[] {
  const { server, kind, name, launch, isListed } = entry;
  if (!isListed || launch !== undefined || kind === 'server') return [];
  const refused = byPinning(entry, policy) ?? byDetection(entry, policy);
  return refused === undefined ? [] : [{ server, kind, name, label: entryLabel(entry), ...refused, command: commandFor(entry) }];
}

type Reason = Pick<RefusedEntry, 'became' | 'why'>;

function byPinning({ kind, status }: Entry, { policy }: CompiledPolicy): Reason | undefined {
  const { enabled, onChange, trustFirstUse } = policy.pinning;
  const became = becomes(onChange);
  const isTrusted = status === 'pinned' || (status === 'new' && trustFirstUse);
  if (!enabled || became === undefined || isTrusted || kind === 'instructions') return undefined;
  return { became, why: status === 'new' ? 'nobody has approved it yet' : 'it has changed since it was trusted' };
}

function byDetection({ server, kind, name, status, approvedAt, detections }: Entry, policy: CompiledPolicy): Reason | undefined {
  const { enabled, onDefinition } = policy.policy.detection;
  const became = becomes(onDefinition);
  const isApproved = status === 'pinned' && approvedAt !== undefined;
  if (!enabled || became === undefined || isApproved) return undefined;
  const [found] = findingsOf(policy, detections, { server, tool: kind === 'tool' ? name : undefined });
  return found === undefined ? undefined : { became, why: `it may mislead a model (${found.severity} ${found.rule})` };
}

function becomes(action: string): 'denied' | 'hidden' | undefined {
  return action === 'deny' ? 'denied' : action === 'hide' ? 'hidden' : undefined;
}
