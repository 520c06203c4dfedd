import type { SecretGroup } from '../../core/dlp/find-secrets.ts';
import type { Dlp } from '../../core/policy/parse-dlp.ts';
import { changeSettings, otherThan, type SettingChange, writtenIn } from './change-settings.ts';
import type { Mutation } from './mutant.ts';

const ACTIONS = ['alert', 'redact', 'prompt', 'deny'] as const;

/** The groups of kinds, by their keys. */
const GROUPS: Readonly<Record<string, SecretGroup>> = {
  keys: 'keys',
  private_keys: 'privateKeys',
  cards: 'cards',
  seed_phrases: 'seedPhrases',
  ssn: 'ssn',
  iban: 'iban',
  email: 'email',
  phone: 'phone',
  crypto_addresses: 'cryptoAddresses',
};

const SECRET = 'a call with a secret in its arguments';
const DISGUISED = `${SECRET}, and one with a disguised secret`;

/** Changes how secrets in arguments are treated, and what counts as one. */
export const changeDlp: Mutation = {
  kind: 'change-dlp',
  changes(policy) {
    const { dlp } = policy;
    const isWritten = writtenIn(policy);
    if (!isWritten('dlp') || !dlp.enabled) return [];
    const change = (path: readonly (string | number)[], settings: Partial<Dlp>, what: string, need: string): SettingChange => ({
      path: ['dlp', ...path],
      settings: { dlp: { ...dlp, ...settings } },
      what: `${what} in [dlp]`,
      need,
    });
    const ofActions = isWritten('dlp', 'on_arguments') ? otherThan(dlp.onArguments, ACTIONS) : [];
    const groups = Object.entries(GROUPS).filter(([key]) => isWritten('dlp', key));
    return changeSettings(policy, [
      change(['enabled'], { enabled: false }, 'enabled = false', `${SECRET}, and "expectedDlp"`),
      ...ofActions.map((onArguments) => change(['on_arguments'], { onArguments }, `on_arguments = "${onArguments}"`, DISGUISED)),
      ...[...dlp.servers].flatMap(([server, action]) =>
        otherThan(action, ACTIONS).map((other) =>
          change(
            ['server', server],
            { servers: new Map([...dlp.servers, [server, other]]) },
            `${server} = "${other}"`,
            `${DISGUISED}, of that server`,
          ),
        ),
      ),
      ...groups.map(([key, group]) =>
        change([key], { [group]: !dlp[group] }, `${key} = ${!dlp[group]}`, `${SECRET} of that kind, and "expectedDlp"`),
      ),
      ...dlp.allow.map((glob, index) =>
        change(
          ['allow', index],
          { allow: dlp.allow.toSpliced(index, 1) },
          `without ${JSON.stringify(glob)} in allow`,
          'a call with such a text in its arguments, and "expectedDlp": []',
        ),
      ),
      ...dlp.patterns.map(({ name }, index) =>
        change(
          ['pattern', index],
          { patterns: dlp.patterns.toSpliced(index, 1) },
          `without the pattern ${name}`,
          'a call with such a text in its arguments, and "expectedDlp"',
        ),
      ),
    ]);
  },
};
