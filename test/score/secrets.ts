import {
  createSecretFinder,
  SECRET_GROUPS,
  type SecretFinder,
  type SecretGroup,
  type SecretRules,
} from '../../src/core/dlp/find-secrets.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { CorpusRow } from './corpus.ts';
import { formatShare, formatTable } from './table.ts';

/** How many benign rows are touched by each group of kinds. */
export interface SecretsScore {
  readonly rows: ReadonlyMap<string, number>;
  /** By the kind of row, then by the group, the places of rows in which something is found. */
  readonly touched: ReadonlyMap<string, ReadonlyMap<SecretGroup, readonly string[]>>;
}

/** Looks for each group by itself in every benign row: results and calls as they leave, by all their texts and the names beside them. */
export function scoreSecrets(rows: readonly CorpusRow[]): SecretsScore {
  const finders = SECRET_GROUPS.map((group) => [group, createSecretFinder(only(group))] as const);
  const counts = new Map<string, number>();
  const touched = new Map<string, Map<SecretGroup, string[]>>();
  for (const { kind, isMalicious, payload, place } of rows) {
    if (isMalicious) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const [group, finder] of finders) {
      if (!isTouched(payload, undefined, finder)) continue;
      const ofKind = touched.get(kind) ?? new Map<SecretGroup, string[]>();
      touched.set(kind, ofKind.set(group, [...(ofKind.get(group) ?? []), place]));
    }
  }
  return { rows: counts, touched };
}

function only(wanted: SecretGroup): SecretRules {
  const usual = parsePolicy('', { file: 'none' });
  if (!usual.ok) throw new Error('an empty policy is valid');
  return { ...usual.policy.dlp, ...Object.fromEntries(SECRET_GROUPS.map((group) => [group, group === wanted])) };
}

function isTouched(value: unknown, name: string | undefined, finder: SecretFinder): boolean {
  if (typeof value === 'string') return finder.find(value, name).length > 0;
  if (Array.isArray(value)) return value.some((item) => isTouched(item, name, finder));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([member, inner]) => isTouched(inner, member, finder));
}

export function formatSecretsScore({ rows, touched }: SecretsScore): string {
  const table = [...rows].flatMap(([kind, count]) =>
    SECRET_GROUPS.flatMap((group) => {
      const places = touched.get(kind)?.get(group) ?? [];
      return places.length === 0 ? [] : [[kind, group, String(count), String(places.length), formatShare(places.length, count)]];
    }),
  );
  const sums = [...rows].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return `${formatTable([['benign', 'group', 'rows', 'touched', 'share'], ...table])}\n\nread: ${sums}`;
}
