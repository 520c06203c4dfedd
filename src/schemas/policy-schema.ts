import { ACTIONS } from '../core/decision.ts';
import { TABLES } from '../core/policy/tables.ts';
import { MATCHER_DEFINITIONS } from './matcher-schemas.ts';
import { DEFAULT_ACTION, ruleSchema } from './rule-schema.ts';
import { DRAFT_07, duration, flag, type JsonSchema, ref, table, text, word } from './shapes.ts';
import { CHANNELS, DEFAULT_APPROVAL } from '../core/policy/parse-settings.ts';
import { ON_ARGUMENTS } from '../core/policy/parse-dlp.ts';
import { FLOW_TABLES } from '../core/policy/parse-flow.ts';
import { SERVER_RATE, TOOL_RATE } from '../core/policy/parse-rate-limits.ts';
import { FAMILIES } from '../core/detect/types.ts';
import { SEVERITIES } from '../core/finding.ts';
import type { Key, Keys } from '../core/policy/keys.ts';
import { formatDuration } from '../core/quantity.ts';

type OwnOf<K extends Keys> = { [Name in keyof K]: K[Name] extends { readonly kind: 'own' } ? Name : never }[keyof K];

/**
 * Builds the schema of a table from the description of its keys.
 *
 * @param own schemas of the keys that describe themselves
 */
function tableSchema<K extends Keys>(
  { keys, description }: { readonly keys: K; readonly description?: string },
  own: Readonly<Record<OwnOf<K> & string, JsonSchema>>,
  more: JsonSchema = {},
): JsonSchema {
  const written: Readonly<Record<string, JsonSchema>> = own;
  return table(Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, written[name] ?? keySchema(key)])), {
    ...(description === undefined ? {} : { description }),
    ...more,
  });
}

function globsSchema(description: string, examples: readonly (readonly string[])[] = []): JsonSchema {
  return { type: 'array', items: ref('glob'), description, ...(examples.length === 0 ? {} : { examples }) };
}

function keySchema(key: Key): JsonSchema {
  switch (key.kind) {
    case 'flag':
      return flag(key.description, key.usual);
    case 'word':
      return word(key.words, { description: key.description, ...(key.follows === true ? {} : { default: key.usual }) });
    case 'duration': {
      const examples = key.examples.length > 1 ? { examples: key.examples } : {};
      return duration({ description: key.description, default: formatDuration(key.usual), ...examples });
    }
    case 'integer':
      return { type: 'integer', minimum: key.least, maximum: key.most, description: key.description, default: key.usual };
    case 'amount': {
      const bounds: JsonSchema = key.isWhole ? { type: 'integer', minimum: 1 } : { type: 'number', exclusiveMinimum: 0 };
      return {
        ...bounds,
        maximum: key.most,
        description: key.description,
        ...(key.usual === undefined ? {} : { default: key.usual }),
      };
    }
    case 'globs':
      return globsSchema(key.description, key.examples);
    case 'own':
      return {};
  }
}

/** Families that are off by default: running commands is the purpose of shells. */
const USUALLY_OFF: readonly string[] = ['shell_injection'];

const FAMILIES_SCHEMA = table(
  Object.fromEntries(
    FAMILIES.map((family) => [
      family,
      flag(`Whether clawai uses the rules of the family ${family}.`, !USUALLY_OFF.includes(family)),
    ]),
  ),
  { description: 'Families of rules, switched on or off.' },
);

const PATTERN_NAME = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' } as const;

const PATTERN_SCHEMA = table(
  {
    name: { ...PATTERN_NAME, description: 'Findings have the name custom.NAME.', examples: ['internal_api'] },
    pattern: text({
      description: 'A regular expression in RE2 syntax. It must not match the empty text.',
      examples: ['internal\\.corp\\.example\\.com'],
    }),
    severity: word(SEVERITIES, { description: 'How bad it is.' }),
    description: text({ description: 'A description of the finding, in one sentence.' }),
  },
  { required: ['name', 'pattern', 'severity'] },
);

const SUPPRESS_SCHEMA = table(
  {
    server: text({ description: 'The server whose texts are covered, a glob.' }),
    tool: text({ description: 'The tool, a glob; without it, all that the server sends.' }),
    rule: text({
      description: 'The rules, a glob over FAMILY.NAME as findings show it; custom.NAME for a pattern of yours.',
      examples: ['credential_theft.*'],
    }),
    reason: text({ description: 'Why this is harmless; shown beside what is suppressed.' }),
  },
  { required: ['server', 'rule', 'reason'] },
);

/** The table `[detection]`. */
const DETECTION_SCHEMA = tableSchema(TABLES.detection, {
  families: FAMILIES_SCHEMA,
  pattern: { type: 'array', items: PATTERN_SCHEMA, description: 'Patterns of your own.' },
  suppress: { type: 'array', items: SUPPRESS_SCHEMA, description: 'Known false alarms, which clawai no longer reports.' },
});

/** The table `[dlp]`. */
const DLP_SCHEMA = tableSchema(TABLES.dlp, {
  server: {
    type: 'object',
    description: 'What happens to calls of a server instead of `on_arguments`, by its name.',
    additionalProperties: word(ON_ARGUMENTS.words, { description: ON_ARGUMENTS.description }),
  },
  pattern: {
    type: 'array',
    items: table(
      {
        name: { ...PATTERN_NAME, description: 'The secret becomes [redacted:NAME].', examples: ['employee'] },
        regex: text({
          description: 'A regular expression in RE2 syntax. It must not match the empty text.',
          examples: ['EMP-[0-9]{6}'],
        }),
      },
      { required: ['name', 'regex'] },
    ),
    description: 'Patterns of your own.',
  },
});

/** The table `[flow]`. */
const FLOW_SCHEMA = tableSchema(TABLES.flow, {
  read_then_send: tableSchema(FLOW_TABLES.read_then_send, {}),
  cross_server_flow: tableSchema(FLOW_TABLES.cross_server_flow, {}),
  steered_call: tableSchema(FLOW_TABLES.steered_call, {}),
  burst: tableSchema(FLOW_TABLES.burst, {}),
  shadow_tool: tableSchema(FLOW_TABLES.shadow_tool, {}),
});

/** The table `[rate_limits]`. Limits without `enabled` are a mistake. */
const RATE_LIMITS_SCHEMA = tableSchema(
  TABLES.rate_limits,
  {
    server: {
      type: 'object',
      description: 'Limits of servers, by name.',
      additionalProperties: tableSchema(
        { keys: SERVER_RATE },
        {
          tool: {
            type: 'object',
            description: "Limits of the server's tools, by name, besides its own.",
            additionalProperties: tableSchema({ keys: TOOL_RATE }, {}, { required: ['rpm'] }),
          },
        },
      ),
    },
  },
  { dependencies: { default_rpm: ['enabled'], default_burst: ['enabled'], server: ['enabled'] } },
);

/** The table `[approval]`. `desktop` only points to `terminal`, where the answer is given. */
const APPROVAL_SCHEMA = tableSchema(TABLES.approval, {
  channels: {
    type: 'array',
    items: { enum: CHANNELS },
    uniqueItems: true,
    anyOf: [{ not: { contains: { enum: ['desktop', 'elicitation'] } } }, { contains: { const: 'terminal' } }],
    description:
      '"terminal" is `clawai approvals`, "desktop" notifies you, "elicitation" also asks in the client; an empty list denies such calls.',
    default: DEFAULT_APPROVAL.channels,
  },
});

/** The tables in the order of evaluation; a missing one does not compile. */
const TABLE_SCHEMAS = {
  defaults: tableSchema(TABLES.defaults, { action: DEFAULT_ACTION }),
  // Lists without a `policy` are a mistake.
  server_policy: tableSchema(TABLES.server_policy, {}, { dependencies: { allow: ['policy'], deny: ['policy'] } }),
  flow: FLOW_SCHEMA,
  rule: ruleSchema(ACTIONS),
  schema: tableSchema(TABLES.schema, {}),
  dlp: DLP_SCHEMA,
  pinning: tableSchema(TABLES.pinning, {}),
  rate_limits: RATE_LIMITS_SCHEMA,
  detection: DETECTION_SCHEMA,
  classify: tableSchema(TABLES.classify, {}),
  approval: APPROVAL_SCHEMA,
} satisfies Record<keyof typeof TABLES | 'rule', JsonSchema>;

/** The schema of a policy. */
export const POLICY_SCHEMA: JsonSchema = {
  $schema: DRAFT_07,
  title: 'Policy of clawai',
  description: 'What agents may do with their MCP servers.',
  ...table(TABLE_SCHEMAS),
  definitions: MATCHER_DEFINITIONS,
};

/** The schema of a project's policy: only rules that restrict the user's own policy. */
export const PROJECT_SCHEMA: JsonSchema = {
  $schema: DRAFT_07,
  title: "A project's policy of clawai",
  description: 'Rules that apply beside your own policy to servers that are started in this project. They can only be stricter.',
  ...table({ rule: ruleSchema(['deny', 'prompt']) }),
  definitions: MATCHER_DEFINITIONS,
};
