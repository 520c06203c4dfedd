import { DEFINITION_KINDS, type DefinitionKind } from '../../../core/registry/definition.ts';
import type { WriterOptions } from '../../../store/open-writer.ts';
import { approveShown, type Shown, type ShownDefinition } from '../../../store/registry-approvals.ts';
import { describePerson, patiently } from '../../approvals/answer-question.ts';
import { visible } from '../../terminal/printable.ts';
import { type Entry, entryLabel, scopeOf } from './entries.ts';

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
export async function approveEntries(writer: WriterOptions, entries: readonly [Entry, ...Entry[]]): Promise<Approved> {
  const [first] = entries;
  const shown = [...Map.groupBy(entries, ({ launch }) => launch).values()].map((ofLaunch): Shown => ({
    scope: scopeOf(ofLaunch[0] ?? first),
    identity: ofLaunch.find(({ kind }) => kind === 'server'),
    definitions: ofLaunch.flatMap((entry) => toShown(entry)),
  }));
  const outcome = await patiently(() => approveShown(writer, shown, { by: describePerson(), now: Date.now() }));
  if (outcome.kind === 'outdated') {
    const { scope, what } = outcome;
    const { server, launch } = typeof scope === 'string' ? { server: scope, launch: undefined } : scope;
    const label = entryLabel({ server, launch, ...(what === 'identity' ? { kind: 'server', name: '' } : what) });
    return { isTaken: false, text: `${label} is not as it was shown any more: nothing was approved; look at it anew` };
  }
  const already = outcome.alreadyTrusted === 0 ? '' : ' (somebody else has approved that meanwhile)';
  const what = entries.length === 1 ? entryLabel(first) : `all ${entries.length} of ${visible(first.server)}`;
  return { isTaken: true, text: `approved: ${what}${already}` };
}

function toShown({ kind, name, pinned, seen }: Entry): readonly ShownDefinition[] {
  return isDefinitionKind(kind) ? [{ kind, name, pinned, seen }] : [];
}

function isDefinitionKind(kind: Entry['kind']): kind is DefinitionKind {
  return DEFINITION_KINDS.some((known) => known === kind);
}
