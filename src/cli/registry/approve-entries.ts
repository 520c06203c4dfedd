import { DEFINITION_KINDS, type DefinitionKind } from '../../core/registry/definition.ts';
import type { WriterOptions } from '../../store/open-writer.ts';
import { approveShown, type Shown, type ShownDefinition } from '../../store/registry-approvals.ts';
import { describePerson, patiently } from '../approvals/answer-question.ts';
import { visible } from '../printable.ts';
import { type Entry, entryLabel } from './entries.ts';

/** What came of it. */
export interface Approved {
  /** All of it is trusted now. */
  readonly isTaken: boolean;
  /** What a person is told. */
  readonly text: string;
}

/**
 * Trusts entries of one server as they were shown, or none of them where one is another by now.
 *
 * @throws ClawaiError `store_*`
 */
export async function approveEntries(writer: WriterOptions, server: string, entries: readonly Entry[]): Promise<Approved> {
  const shown: Shown = {
    server,
    identity: entries.find(({ kind }) => kind === 'server'),
    definitions: entries.flatMap((entry) => toShown(entry)),
  };
  const outcome = await patiently(() => approveShown(writer, shown, { by: describePerson(), now: Date.now() }));
  if (outcome.kind === 'outdated') {
    const what = outcome.what === 'identity' ? { server, kind: 'server' as const, name: '' } : { server, ...outcome.what };
    return { isTaken: false, text: `${entryLabel(what)} is not as it was shown any more: nothing was approved; look at it anew` };
  }
  const already = outcome.alreadyTrusted === 0 ? '' : ' (somebody else has approved that meanwhile)';
  const [only] = entries;
  const what = entries.length === 1 && only !== undefined ? entryLabel(only) : `all ${entries.length} of ${visible(server)}`;
  return { isTaken: true, text: `approved: ${what}${already}` };
}

function toShown({ kind, name, pinned, seen }: Entry): readonly ShownDefinition[] {
  return isDefinitionKind(kind) ? [{ kind, name, pinned, seen }] : [];
}

function isDefinitionKind(kind: Entry['kind']): kind is DefinitionKind {
  return DEFINITION_KINDS.some((known) => known === kind);
}
