import { CATEGORIES } from '../core/call.ts';
import { CHANNELS, DEFAULT_APPROVAL } from '../core/policy/parse-approval.ts';
import { DEFAULT_PINNING, ON_CHANGE } from '../core/policy/parse-pinning.ts';
import { MOST_RATE } from '../core/policy/parse-rate-limits.ts';
import { SERVER_MODES } from '../core/policy/parse-server-policy.ts';
import { formatDuration } from '../core/quantity.ts';
import { duration, flag, type JsonSchema, ref, table, word } from './shapes.ts';

function globs(description: string, examples: readonly (readonly string[])[] = []): JsonSchema {
  return { type: 'array', items: ref('glob'), description, ...(examples.length === 0 ? {} : { examples }) };
}

/** `[server_policy]`. Lists that nothing makes count are a mistake. */
export const SERVER_POLICY_SCHEMA = table(
  {
    policy: word(SERVER_MODES, {
      description:
        '"allowlist": the servers in `allow` that are not in `deny`. "denylist": all but those in `deny`. "none": the lists say nothing.',
      default: 'none',
    }),
    allow: globs('Servers that there may be.', [['files', 'github']]),
    deny: globs('Servers that there may not be, whatever `allow` says.'),
  },
  { description: 'Which servers there may be.', dependencies: { allow: ['policy'], deny: ['policy'] } },
);

/** `[pinning]`. */
export const PINNING_SCHEMA = table(
  {
    enabled: flag('Whether definitions are held to what was approved.', DEFAULT_PINNING.enabled),
    trust_first_use: flag(
      'What is seen for the first time counts as approved; false: nothing does until a person has approved it.',
      DEFAULT_PINNING.trustFirstUse,
    ),
    on_change: word(ON_CHANGE, {
      description:
        '"deny" denies calls of what has changed, "hide" also takes it out of the lists, "prompt" asks a person for each call, "alert" only records it.',
      default: DEFAULT_PINNING.onChange,
    }),
  },
  { description: 'What becomes of definitions that are not as they were approved.' },
);

const RPM: JsonSchema = { type: 'number', exclusiveMinimum: 0, maximum: MOST_RATE, description: 'Calls a minute.' };
const BURST: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: MOST_RATE,
  description: 'So many at once after a pause; where it is missing, a sixth of the rate, at least one.',
};

/** `[rate_limits]`. Limits that nothing switches on or off are a mistake. */
export const RATE_LIMITS_SCHEMA = table(
  {
    enabled: flag('true makes the limits count; false keeps them for later.', false),
    default_rpm: { ...RPM, description: 'Calls a minute, for each server that has no limit of its own.', default: 60 },
    default_burst: BURST,
    server: {
      type: 'object',
      description: 'Limits of servers, by name.',
      additionalProperties: table({
        rpm: RPM,
        burst: BURST,
        tool: {
          type: 'object',
          description: "Limits of the server's tools, by name, besides its own.",
          additionalProperties: table({ rpm: RPM, burst: BURST }, { required: ['rpm'] }),
        },
      }),
    },
  },
  {
    description: 'How often servers and tools may be called.',
    dependencies: { default_rpm: ['enabled'], default_burst: ['enabled'], server: ['enabled'] },
  },
);

const OF_CATEGORY: Readonly<Record<(typeof CATEGORIES)[number], string>> = {
  read: 'Tools that give data.',
  write: 'Tools that change something.',
  send: 'Tools by which data leaves for somewhere or someone.',
  compute: 'Tools that work something out, or run code.',
  execute: 'Tools that run commands, or code, that they are given.',
  destroy: "Tools that take away or overwrite what can't be got back simply.",
  unknown: 'Tools of which nothing tells what they do.',
};

/** `[classify]`. */
export const CLASSIFY_SCHEMA = table(
  Object.fromEntries(CATEGORIES.map((category) => [category, globs(OF_CATEGORY[category], [['slack_post_*', 'fetch_url']])])),
  { description: 'What kinds of tools they are, by globs for their names, whatever they look like.' },
);

/** `[approval]`. `desktop` only points to `terminal`, where the answer is given. */
export const APPROVAL_SCHEMA = table(
  {
    channels: {
      type: 'array',
      items: { enum: CHANNELS },
      uniqueItems: true,
      anyOf: [{ not: { contains: { const: 'desktop' } } }, { contains: { const: 'terminal' } }],
      description: '"terminal" is `clawai approvals`, "desktop" points you there; an empty list denies what would be asked.',
      default: DEFAULT_APPROVAL.channels,
    },
    timeout: duration({
      description: 'How long a call waits for an answer, 1s to 1h; no answer is a denial. Many clients give up after 60 s.',
      default: formatDuration(DEFAULT_APPROVAL.timeout),
    }),
  },
  { description: 'How a person is asked where a rule says "prompt".' },
);
