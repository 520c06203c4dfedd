import type { SecretPattern, SecretRules } from '../dlp/find-secrets.ts';
import { checkKeys, complainOfType, type Complaints } from './complaints.ts';
import { flag, globs, type Keys, openTable, OWN, type Place, readValues, readWord, type Values, word } from './keys.ts';
import { checkPattern, checkPatternName, readText, patternsOf } from './parse-patterns.ts';
import { isTomlTable, type TomlValue } from './toml.ts';

/** The action on a call with secrets in its arguments. */
export const ON_ARGUMENTS = word(['alert', 'redact', 'prompt', 'deny'], {
  usual: 'alert',
  noun: 'action',
  plural: 'actions',
  description:
    'What happens to a call with secrets in its arguments. "alert" records it, "redact" removes the secrets, "prompt" asks a person, "deny" denies it.',
});

/** `[dlp]`: data loss prevention. */
export const DLP = {
  enabled: flag(true, 'Whether clawai looks for secrets in what leaves for servers and models.'),
  on_arguments: ON_ARGUMENTS,
  on_request: word(['alert', 'redact', 'tokenize'], {
    usual: 'alert',
    noun: 'action',
    plural: 'actions',
    description:
      'What happens to secrets in requests to models. "alert" records them, "redact" removes them, "tokenize" replaces them and puts them back into the answers.',
  }),
  restore_to: globs('Servers whose arguments get the secret back for its token; "native" for the agent\'s own tools.', [
    ['github', 'native'],
  ]),
  allow: globs('Texts that are no secrets, such as keys of tests.', [['sk_test_*', '**EXAMPLE**']]),
  keys: flag(true, 'API keys, tokens and passwords, by their form or by the name beside them.'),
  private_keys: flag(true, 'Private keys.'),
  cards: flag(true, 'Card numbers with a right check digit.'),
  seed_phrases: flag(true, 'Seed phrases of wallets (BIP 39).'),
  ssn: flag(true, 'US social security numbers.'),
  iban: flag(true, 'International bank account numbers.'),
  email: flag(false, 'E-mail addresses.'),
  phone: flag(false, 'Phone numbers.'),
  crypto_addresses: flag(false, 'Addresses of wallets, which are public.'),
  server: OWN,
  pattern: OWN,
} as const satisfies Keys;

export type OnArguments = Values<typeof DLP>['onArguments'];

/** Settings for secrets on their way to servers and models. */
export interface Dlp extends Values<typeof DLP>, SecretRules {
  /** Overrides of `onArguments`, by the server's name. */
  readonly servers: ReadonlyMap<string, OnArguments>;
}

/** Reads `[dlp]`: the settings for secrets on their way to servers and models. */
export function parseDlp(value: TomlValue | undefined, to: Complaints): Dlp {
  const place = openTable(value, { path: ['dlp'], to }, DLP);
  return { ...readValues(place, DLP), servers: parseServers(place), patterns: patternsOf(place, parsePattern) };
}

function parseServers({ table, path, to }: Place): Dlp['servers'] {
  const value = table['server'];
  const at = [...path, 'server'];
  const servers = new Map<string, OnArguments>();
  if (value === undefined) return servers;
  if (!isTomlTable(value)) {
    complainOfType(to, at, value, 'a table');
    return servers;
  }
  for (const name of Object.keys(value)) {
    const action = readWord({ table: value, path: at, to }, name, ON_ARGUMENTS);
    if (action !== undefined) servers.set(name, action);
  }
  return servers;
}

function parsePattern(place: Place): SecretPattern | undefined {
  const { table, path, to } = place;
  checkKeys(to, path, table, { read: ['name', 'regex'], where: '[[dlp.pattern]]' });
  const name = readText(place, 'name');
  const source = readText(place, 'regex');
  if (name !== undefined) checkPatternName(name, place, 'it is shown as [redacted:NAME]');
  const regex = source === undefined ? undefined : checkPattern(source, [...path, 'regex'], to);
  return name === undefined || regex === undefined ? undefined : { name, regex };
}
