import { defaultConfig, LLM_DIALECTS } from '../config/config.ts';
import { CONFIG_BOUNDS } from '../config/parse-config.ts';
import { formatDuration, formatSize } from '../core/quantity.ts';
import { DRAFT_07, duration, flag, type JsonSchema, type Annotations, size, table, word } from './shapes.ts';
import { HEADER_NAME, HEADER_VALUE } from '../config/declared-servers.ts';
import { URL_SECRET, URL_SECRET_WANTED } from '../config/addresses.ts';
import {
  ALARM_SEVERITIES,
  VARIABLE,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMS,
  WEBHOOK_NAME,
  WEBHOOK_USUAL,
} from '../config/read-webhooks.ts';

/** Matches a URL, as far as a pattern can. */
const HTTP_URL = String.raw`^[Hh][Tt][Tt][Pp][Ss]?:[^\s#]+$`;

/** The last part of a URL at `clawai serve`. */
const SECRET_SCHEMA: JsonSchema = {
  type: 'string',
  pattern: URL_SECRET.source,
  description: `The last part of its URL at \`clawai serve\`, ${URL_SECRET_WANTED}; without it one is generated.`,
};

/** The table `[[servers]]`. */
const SERVERS_SCHEMA: JsonSchema = {
  type: 'array',
  description: "Remote servers that are in no client's config, for `clawai serve`.",
  items: table(
    {
      id: {
        type: 'string',
        pattern: String.raw`^[^/\u0000-\u001f\u007f-\u009f]+$`,
        maxLength: 128,
        not: { enum: ['.', '..'] },
        description: 'Its name in the policy and in its URL; no other server may have it.',
        examples: ['docs'],
      },
      url: {
        type: 'string',
        pattern: HTTP_URL,
        description: 'The address of the server itself.',
        examples: ['https://mcp.example.com/mcp'],
      },
      secret: SECRET_SCHEMA,
      headers: {
        type: 'object',
        propertyNames: { pattern: HEADER_NAME.source },
        additionalProperties: { type: 'string', pattern: HEADER_VALUE.source },
        description: 'Headers that clawai sends with every request.',
        examples: [{ Authorization: 'Bearer TOKEN' }],
      },
      auth: word(['managed'], {
        description: '"managed": you log in with `clawai login`, and clawai sends its own token with every request.',
      }),
      modern_only: flag(
        'Its clients speak no MCP before 2026-07-28: `clawai serve` translates for them if the server is older.',
        false,
      ),
      tls_fingerprint: {
        type: 'string',
        pattern: '^[Ss][Hh][Aa]256:[0-9A-Fa-f]{64}$',
        description: 'The key that the certificate of the server must have: "sha256:" and 64 hexadecimal digits.',
      },
    },
    { required: ['id', 'url'] },
  ),
};

const DIALECTS = LLM_DIALECTS.map(({ dialect }) => dialect);

const BASE_URL: JsonSchema = {
  type: 'string',
  pattern: HTTP_URL,
  description: 'The base URL that you would give the SDK of this API; https unless it is on this machine.',
  examples: ['https://llm.example.com/team/v1'],
};

/** The table `[llm]`. */
const LLM_SCHEMA = table(
  {
    mode: word(['embedded', 'mcp-only', 'disabled'], {
      description:
        '"embedded": the policy decides what models call, and clawai looks for secrets in requests. "mcp-only": only the first of these, and requests are stored unless store_bodies says otherwise. "disabled": neither.',
      default: 'embedded',
    }),
    providers: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$' },
      properties: Object.fromEntries(LLM_DIALECTS.map((known) => [known.dialect, providerOf(known)])),
      additionalProperties: table(
        { dialect: word(DIALECTS, { description: 'The API that it offers.' }), base_url: BASE_URL, secret: SECRET_SCHEMA },
        { required: ['dialect', 'base_url'] },
      ),
      description: 'LLM providers, by name.',
    },
    store_bodies: flag('Keep what is said to models and by them, without secrets.', false),
    retain: duration({ description: 'How long to store them, at least an hour.', default: '30d' }),
  },
  { description: 'How clawai handles requests to LLM providers.' },
);

const USUAL = defaultConfig({ env: {}, platform: 'linux', home: '~' });

/** The table `[login]`. */
const LOGIN_SCHEMA = table(
  {
    keychain: flag(
      "Keep tokens in the system's keychain where there is one; otherwise in a file that only you may read.",
      USUAL.login.keychain,
    ),
  },
  { description: 'How `clawai login` keeps tokens.' },
);

/** Matches a path that is absolute or in the home. Drives are those of Windows. */
const ABSOLUTE = String.raw`^(?:/|\\\\|[A-Za-z]:[\\/]|~(?:$|[\\/]))`;

const HOST = String.raw`\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?`;

function path(annotations: Annotations): JsonSchema {
  return { type: 'string', pattern: ABSOLUTE, ...annotations };
}

interface Limit {
  readonly least: number;
  readonly most: number;
}

function sizeWithin({ least, most }: Limit, usual: number, description: string): JsonSchema {
  const range = `${formatSize(least)} to ${formatSize(most)}`;
  return size({ minimum: least, maximum: most }, { description: `${description}, ${range}.`, default: formatSize(usual) });
}

const SERVE_SCHEMA = table(
  {
    tls_cert: path({ description: 'The certificate, as PEM; an absolute path.' }),
    tls_key: path({ description: 'The key of the certificate, as PEM.' }),
    token_file: path({ description: 'A file with the token that requests must send in a header x-clawai-token.' }),
    hosts: {
      type: 'array',
      items: { type: 'string', pattern: `^(?:${HOST})$` },
      description: 'More host names at which you reach `clawai serve`, without ports.',
      default: USUAL.serve.hosts,
      examples: [['clawai.example.com']],
    },
  },
  { description: 'How you reach `clawai serve`.', dependencies: { tls_cert: ['tls_key'], tls_key: ['tls_cert'] } },
);

const LIMITS_SCHEMA = table(
  {
    message: sizeWithin(CONFIG_BOUNDS.message, USUAL.limits.message, 'The longest message; clawai refuses longer ones'),
    depth: {
      type: 'integer',
      minimum: CONFIG_BOUNDS.depth.least,
      maximum: CONFIG_BOUNDS.depth.most,
      description: 'How deep objects and lists may nest in a message; arguments deeper than 128 count against a call.',
      default: USUAL.limits.depth,
    },
    frame: sizeWithin(CONFIG_BOUNDS.frame, USUAL.limits.frame, 'The longest event of a stream'),
    body_timeout: duration({
      description:
        "How long a request's body may stay silent, 250ms to 1h; the whole body has four times as long, and a second for each KiB.",
      default: formatDuration(USUAL.limits.bodyTimeout),
      examples: ['2m'],
    }),
  },
  { description: 'Limits of what clawai accepts.' },
);

const AUDIT_SCHEMA = table(
  {
    sync: word(['normal', 'full'], {
      description:
        'What a recorded event survives: with "normal" a crash of any process, with "full" also a crash of the machine.',
      default: USUAL.audit.sync,
    }),
    retain: duration({
      description: 'How long clawai keeps events, at least an hour.',
      default: formatDuration(USUAL.audit.retain),
      examples: ['30d'],
    }),
    max_size: sizeWithin(CONFIG_BOUNDS.maxSize, USUAL.audit.maxSize, 'How much space events may take'),
    jsonl: {
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: ABSOLUTE }],
      description: 'true also writes each event as a line to events.jsonl in state_dir; a path writes it to that file.',
      default: false,
    },
  },
  { description: 'What clawai records.' },
);

const VARIABLE_SCHEMA: JsonSchema = { type: 'string', pattern: VARIABLE.source };

/** The tables `[webhook.NAME]`. */
const WEBHOOK_SCHEMA: JsonSchema = {
  type: 'object',
  propertyNames: { pattern: WEBHOOK_NAME.source },
  additionalProperties: table({
    url: {
      type: 'string',
      pattern: HTTP_URL,
      description: 'Where to send; https unless it is on this machine. If the URL is secret, use url_file or url_env.',
      examples: ['https://hooks.example.com/clawai'],
    },
    url_env: { ...VARIABLE_SCHEMA, description: 'The environment variable that has the URL.' },
    url_file: path({ description: 'The file that has the URL; an absolute path.' }),
    form: word(WEBHOOK_FORMS, {
      description: '"json" is a signed JSON object; the others are what these programs read.',
      default: WEBHOOK_USUAL.form,
    }),
    secret_env: { ...VARIABLE_SCHEMA, description: 'The environment variable that has the secret; for ntfy, the access token.' },
    secret_file: path({ description: 'The file that has the secret that signs what is sent; for ntfy, the access token.' }),
    events: {
      type: 'array',
      items: { enum: WEBHOOK_EVENTS },
      uniqueItems: true,
      description: 'What to tell.',
      default: WEBHOOK_USUAL.events,
    },
    min_severity: word(ALARM_SEVERITIES, {
      description: 'The least severity of a finding that is an alarm.',
      default: WEBHOOK_USUAL.minSeverity,
    }),
  }),
  description: 'Webhooks that tell you what happens, by name.',
};

/** The schema of config.toml. */
export const CONFIG_SCHEMA: JsonSchema = {
  $schema: DRAFT_07,
  title: 'Config of clawai',
  description: 'How clawai runs; the policy says what is allowed.',
  ...table({
    mode: word(['enforce', 'observe'], {
      description: '"observe" decides and records, but lets everything pass.',
      default: USUAL.mode,
    }),
    on_error: word(['deny', 'allow'], {
      description: 'What happens to a call that can\'t be decided or recorded; "allow" lets it pass.',
      default: USUAL.onError,
    }),
    state_dir: path({
      description: 'Where clawai keeps its state; an absolute path, ~ is your home.',
      default: USUAL.stateDir,
    }),
    listen: {
      type: 'string',
      pattern: String.raw`^(?:${HOST}):\d{1,5}$`,
      description:
        'Where `clawai serve` takes requests; port 0 picks a free one. Beyond this machine only with serve.tls_cert, serve.tls_key and serve.token_file.',
      default: `${USUAL.listen.host}:${USUAL.listen.port}`,
    },
    serve: SERVE_SCHEMA,
    servers: SERVERS_SCHEMA,
    login: LOGIN_SCHEMA,
    llm: LLM_SCHEMA,
    limits: LIMITS_SCHEMA,
    audit: AUDIT_SCHEMA,
    webhook: WEBHOOK_SCHEMA,
  }),
};

/** Describes a provider with its API's name, which has defaults for dialect and URL. */
function providerOf({ dialect, url }: (typeof LLM_DIALECTS)[number]): JsonSchema {
  return table(
    {
      dialect: { const: dialect, description: 'The API that it offers.', default: dialect },
      base_url: { ...BASE_URL, default: url },
      secret: SECRET_SCHEMA,
    },
    { description: `The provider ${dialect}.` },
  );
}
