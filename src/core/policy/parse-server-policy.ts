import { complain, type Complaints } from './complaints.ts';
import { globs, type Keys, openTable, readValues, type Values, word } from './keys.ts';
import type { TomlValue } from './toml.ts';

/** `[server_policy]`. */
export const SERVER_POLICY = {
  policy: word(['allowlist', 'denylist', 'none'], {
    usual: 'none',
    noun: 'server policy',
    plural: 'policies',
    said: '"allowlist" permits the servers in `allow` that are not in `deny`. "denylist" permits all but those in `deny`. "none" ignores both lists.',
  }),
  allow: globs('Servers that are permitted.', [['files', 'github']]),
  deny: globs('Servers that are denied, whatever `allow` says.'),
} as const satisfies Keys;

/** The servers that are allowed at all. */
export interface ServerPolicy extends Omit<Values<typeof SERVER_POLICY>, 'policy'> {
  readonly mode: Values<typeof SERVER_POLICY>['policy'];
}

/**
 * Reads `[server_policy]`: the servers that are allowed. Lists without `policy` are an error, since they would have no effect. `policy =
 * "none"` makes that explicit, and then they are accepted.
 */
export function parseServerPolicy(value: TomlValue | undefined, to: Complaints): ServerPolicy {
  const place = openTable(value, { path: ['server_policy'], to }, SERVER_POLICY);
  const { policy: mode, allow, deny } = readValues(place, SERVER_POLICY);
  const [idle] = (['deny', 'allow'] as const).filter((key) => place.table[key] !== undefined);
  if (idle !== undefined && place.table['policy'] === undefined) {
    complain(to, ['server_policy', idle], `"${idle}" has no effect without a policy`, `policy = "${idle}list"`);
  }
  return { mode, allow, deny };
}
