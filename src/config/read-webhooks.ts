import { checkKeys, complain, complainOfType, type Faults } from '../core/policy/complaints.ts';
import { isTomlTable, type TomlTable, type TomlValue } from '../core/policy/toml.ts';
import type { PolicyPath } from '../core/policy/types.ts';
import { suggestName } from '../suggest.ts';
import { isLoopback, readRemoteUrl, type RemoteUrl } from './addresses.ts';
import { absolutePath, choice } from './setting-readers.ts';

/** Events that a webhook tells: denied calls, questions to a person, changed definitions, and signs of an attack. */
export const WEBHOOK_EVENTS = ['denials', 'questions', 'definitions', 'alarms'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The shapes of what is sent: clawai's own JSON, or what these programs read. */
export const WEBHOOK_FORMS = ['json', 'slack', 'teams', 'ntfy'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

/** The severities from which a finding can be an alarm. */
export const ALARM_SEVERITIES = ['medium', 'high', 'critical'] as const;

/** A text that may be secret, and the place that it is read from. */
export type SecretPlace =
  | { readonly in: 'config'; readonly text: string }
  | { readonly in: 'env'; readonly name: string }
  | { readonly in: 'file'; readonly file: string };

/** A webhook of `[webhook.NAME]`. */
export interface Webhook {
  readonly name: string;
  readonly url: SecretPlace;
  readonly form: WebhookForm;
  /** Signs what is sent; for ntfy, the access token. */
  readonly secret: SecretPlace | undefined;
  readonly events: readonly WebhookEvent[];
  /** The least severity of a finding that is an alarm. */
  readonly minSeverity: (typeof ALARM_SEVERITIES)[number];
}

export const WEBHOOK_USUAL = { form: 'json', events: WEBHOOK_EVENTS, minSeverity: 'high' } as const;

/** Matches names of webhooks, which are also names of files. */
export const WEBHOOK_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Matches names of environment variables. */
export const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const KEYS = ['url', 'url_env', 'url_file', 'form', 'secret_env', 'secret_file', 'events', 'min_severity'];

interface Place {
  readonly path: PolicyPath;
  readonly to: Faults;
  readonly home: string;
}

/** Reads `[webhook.NAME]`, in order. Faulty ones are reported and left out. */
export function readWebhooks(value: TomlValue, home: string, to: Faults): readonly Webhook[] {
  if (!isTomlTable(value)) {
    complainOfType(to, ['webhook'], value, 'a table of tables: [webhook.NAME]');
    return [];
  }
  return Object.entries(value).flatMap(([name, table]): Webhook[] => {
    const webhook = readWebhook(name, table, { path: ['webhook', name], to, home });
    return webhook === undefined ? [] : [webhook];
  });
}

function readWebhook(name: string, table: TomlValue, place: Place): Webhook | undefined {
  const { path, to } = place;
  if (!isTomlTable(table)) {
    complainOfType(to, path, table, 'a table: [webhook.NAME]');
    return undefined;
  }
  checkKeys(to, path, table, { read: KEYS, lacks: 'supported', where: `[webhook.${name}]` });
  if (!WEBHOOK_NAME.test(name)) complain(to, path, 'the name of a webhook must be 1 to 64 letters, digits, "-" or "_"');
  const url = readSecretPlace(table, 'url', place);
  if (url === undefined) complain(to, path, `${path.join('.')} needs one of url, url_env and url_file`);
  const read = <const T extends string>(key: string, words: readonly T[], usual: T): T => {
    const value = table[key];
    return value === undefined ? usual : (choice(words)(value, [...path, key], to) ?? usual);
  };
  return url === undefined
    ? undefined
    : {
        name,
        url,
        form: read('form', WEBHOOK_FORMS, WEBHOOK_USUAL.form),
        secret: readSecretPlace(table, 'secret', place),
        events: readEvents(table['events'], { ...place, path: [...path, 'events'] }),
        minSeverity: read('min_severity', ALARM_SEVERITIES, WEBHOOK_USUAL.minSeverity),
      };
}

/** Reads `NAME`, `NAME_env` or `NAME_file`, of which at most one may be set. A secret itself has no place in the config. */
function readSecretPlace(table: TomlTable, name: 'url' | 'secret', { path, to, home }: Place): SecretPlace | undefined {
  const set = [name, `${name}_env`, `${name}_file`].filter((key) => table[key] !== undefined && KEYS.includes(key));
  const [key] = set;
  if (key === undefined) return undefined;
  const at = [...path, key];
  if (set.length > 1) complain(to, at, `${path.join('.')} has both ${set.join(' and ')}`);
  const value = table[key] ?? '';
  if (typeof value !== 'string') {
    complainOfType(to, at, value, 'a text');
    return { in: 'config', text: '' };
  }
  if (key === name) {
    const url = readWebhookUrl(value);
    if (!url.ok) complain(to, at, `${at.join('.')} ${url.problem}`, url.hint);
    return { in: 'config', text: value };
  }
  if (key.endsWith('_file')) return { in: 'file', file: absolutePath(home)(value, at, to) ?? '' };
  if (!VARIABLE.test(value)) complain(to, at, `${at.join('.')} must be the name of an environment variable`);
  return { in: 'env', name: value };
}

function readEvents(value: TomlValue | undefined, { path, to }: Place): readonly WebhookEvent[] {
  if (value === undefined) return WEBHOOK_USUAL.events;
  if (!Array.isArray(value)) {
    complainOfType(to, path, value, 'a list like ["denials", "questions"]');
    return [];
  }
  const events: WebhookEvent[] = [];
  for (const [index, item] of value.entries()) {
    const event = WEBHOOK_EVENTS.find((known) => known === item);
    if (event !== undefined && !events.includes(event)) events.push(event);
    else if (event !== undefined) complain(to, [...path, index], `"${event}" is listed twice`);
    else if (typeof item !== 'string') complainOfType(to, [...path, index], item, 'an event like "denials"');
    else {
      const meant = suggestName(item, WEBHOOK_EVENTS);
      const hint = meant === undefined ? `events: ${WEBHOOK_EVENTS.join(', ')}` : `did you mean "${meant}"?`;
      complain(to, [...path, index], `unknown event ${JSON.stringify(item)}`, hint);
    }
  }
  return events;
}

/** Checks the URL of a webhook: https, unless it is on this machine. The fault never repeats the URL, which may be secret. */
export function readWebhookUrl(text: string): RemoteUrl {
  const read = readRemoteUrl(text);
  if (!read.ok)
    return { ...read, problem: read.problem.replace('https://mcp.example.com/mcp', 'https://hooks.example.com/T1/B2') };
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return read;
  return { ok: false, problem: 'must start with https:// unless it is on this machine' };
}
