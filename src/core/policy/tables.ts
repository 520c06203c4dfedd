import { CATEGORIES, type Category } from '../call.ts';
import { complainOfType, type Complaints } from './complaints.ts';
import {
  globs,
  type Keys,
  openTable,
  OWN,
  type PropertyOf,
  propertyOf,
  readValues,
  type Values,
  word,
  type WordKey,
} from './keys.ts';
import {
  APPROVAL,
  parseApproval,
  parsePinning,
  parseSchema,
  parseServerPolicy,
  PINNING,
  SCHEMA,
  SERVER_POLICY,
} from './parse-settings.ts';
import { DETECTION, parseDetection } from './parse-detection.ts';
import { DLP, parseDlp } from './parse-dlp.ts';
import { FLOW, parseFlow } from './parse-flow.ts';
import { parseRateLimits, RATE_LIMITS } from './parse-rate-limits.ts';
import { complainOfCategory, parseAction } from './parse-rule.ts';
import { parseGlobs } from './parse-texts.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { Action, PolicyError, PolicySyntaxError, Rule } from './types.ts';

/** Globs for names of tools, by category; they override what a tool looks like. */
export type ClassifyGlobs = Readonly<Partial<Record<Category, readonly string[]>>>;

function allowOrDeny(usual: 'allow' | 'deny', description: string): WordKey<'allow' | 'deny'> {
  return word(['allow', 'deny'], { usual, description });
}

/** `[defaults]`. */
const DEFAULTS = {
  action: OWN,
  native: allowOrDeny('allow', 'The agent\'s own tools (Bash, Edit, …) that no rule with `server = "native"` matches.'),
  unknown_methods: allowOrDeny('allow', 'Methods that MCP does not have.'),
  unknown_server: allowOrDeny('allow', 'Calls to tools that their server never listed.'),
  unmapped_tool: allowOrDeny('deny', "Calls whose name looks like an MCP tool's and belongs to no known server."),
} as const satisfies Keys;

const OF_CATEGORY: Readonly<Record<Category, string>> = {
  read: 'Tools that read data.',
  write: 'Tools that change something.',
  send: 'Tools that send data to a place or a person.',
  compute: 'Tools that compute something, or run code.',
  execute: 'Tools that run commands or code from their arguments.',
  destroy: "Tools that delete or overwrite what can't easily be restored.",
  unknown: 'Tools about which clawai cannot tell what they do.',
};

/** `[classify]`. */
const CLASSIFY: Keys = Object.fromEntries(
  CATEGORIES.map((category) => [category, globs(OF_CATEGORY[category], [['slack_post_*', 'fetch_url']])]),
);

/** One table of a policy: its description, its keys, and its parser; an absent table has its default values. */
interface PolicyTable {
  readonly description: string;
  readonly keys: Keys;
  readonly parse: (value: TomlValue | undefined, to: Complaints) => unknown;
}

/** Every table of a policy except its rules, in the order in which messages list their names. */
export const TABLES = {
  defaults: { description: 'What happens where no rule matches.', keys: DEFAULTS, parse: parseDefaults },
  server_policy: { description: 'Which servers are permitted.', keys: SERVER_POLICY, parse: parseServerPolicy },
  schema: {
    description: "What happens to calls whose arguments do not fit their tool's schema.",
    keys: SCHEMA,
    parse: parseSchema,
  },
  dlp: {
    description: 'What happens to secrets on their way to servers and models.',
    keys: DLP,
    parse: parseDlp,
  },
  pinning: { description: 'What happens to definitions that differ from what was approved.', keys: PINNING, parse: parsePinning },
  rate_limits: { description: 'How often servers and tools may be called.', keys: RATE_LIMITS, parse: parseRateLimits },
  flow: {
    description: 'Calls that are harmless one by one and harmful together, across the servers of a session.',
    keys: FLOW,
    parse: parseFlow,
  },
  detection: {
    description: 'Texts that should not reach a model: hidden instructions, secrets, and text that people cannot see.',
    keys: DETECTION,
    parse: parseDetection,
  },
  classify: {
    description: 'Which categories tools have, by globs for their names. These override what clawai infers.',
    keys: CLASSIFY,
    parse: parseClassify,
  },
  approval: { description: 'How clawai asks a person where a rule says "prompt".', keys: APPROVAL, parse: parseApproval },
} as const satisfies Readonly<Record<string, PolicyTable>>;

/** The values of the tables, by their names in camel case. */
export type TableValues = {
  readonly [Name in keyof typeof TABLES as PropertyOf<Name>]: ReturnType<(typeof TABLES)[Name]['parse']>;
};

export interface Policy extends TableValues {
  readonly file?: string;
  /** The parsed text, as it stands in the file. */
  readonly text: string;
  readonly rules: readonly Rule[];
}

export type PolicyResult =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly syntax: PolicySyntaxError }
  /** `needsRegex`: the policy uses `regex` and no compiler was given; parse again with one. */
  | { readonly ok: false; readonly errors: readonly PolicyError[]; readonly needsRegex: boolean };

/** Parses all tables of a policy. */
export function parseTables(policy: TomlTable, to: Complaints): TableValues {
  const values = Object.entries(TABLES).map(([name, { parse }]) => [propertyOf(name), parse(policy[name], to)]);
  // Each value has the type of its table's parser.
  return Object.fromEntries(values) as TableValues;
}

function parseDefaults(value: TomlValue | undefined, to: Complaints): { readonly action: Action } & Values<typeof DEFAULTS> {
  const place = openTable(value, { path: ['defaults'], to }, DEFAULTS);
  const written = place.table['action'];
  const action = written === undefined ? undefined : parseAction(written, ['defaults', 'action'], to);
  return { action: action ?? 'deny', ...readValues(place, DEFAULTS) };
}

/** Reads `[classify]`: globs for names of tools, by the category that such tools have. One tool may be in several. */
function parseClassify(value: TomlValue | undefined, to: Complaints): ClassifyGlobs {
  if (value === undefined) return {};
  if (!isTomlTable(value)) {
    complainOfType(to, ['classify'], value, 'a table');
    return {};
  }
  const found: { [category in Category]?: readonly string[] } = {};
  for (const [key, list] of Object.entries(value)) {
    const category = CATEGORIES.find((known) => known === key);
    if (category === undefined) complainOfCategory(to, ['classify', key], key);
    else if (list !== undefined) found[category] = parseGlobs(list, ['classify', key], to) ?? [];
  }
  return found;
}
