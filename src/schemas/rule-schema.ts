import { CATEGORIES } from '../core/call.ts';
import { type Action, ACTIONS } from '../core/decision.ts';
import { type MatchKey, SUBJECTS } from '../core/policy/parse-rule.ts';
import { flag, type JsonSchema, ref, table, text, word } from './shapes.ts';

export const FINGERPRINT = '^sha256:[0-9a-f]{64}$';

/** Accepts one item, or a list of at least one. */
function oneOrMore(item: JsonSchema, description: string): JsonSchema {
  return { anyOf: [item, { type: 'array', minItems: 1, items: item }], description };
}

const MATCH_FIELDS: Readonly<Record<MatchKey, JsonSchema>> = {
  tool: ref('name', {
    description: 'The tools that it matches: a glob, a list of globs, or a table of operators.',
    examples: ['**', ['read_*', 'list_*'], { regex: '^(get|list)_' }],
  }),
  resource: ref('name', {
    description: 'The resources that it matches, by URI.',
    examples: ['file:///home/me/projects/**'],
  }),
  prompt: ref('name', { description: "The server's prompts that it matches." }),
  method: ref('name', {
    description:
      'The methods that it matches; needed for methods other than calling a tool, reading a resource or getting a prompt.',
    examples: ['sampling/createMessage', 'resources/subscribe'],
  }),
  server: ref('name', {
    description: "Only these servers. `native` is the agent's own tools (Bash, Edit, …), where a model's calls are seen.",
    examples: ['github', ['files', 'notes']],
  }),
  category: oneOrMore(
    { enum: CATEGORIES },
    'The categories of the tool, by its name, parameters and definition. A deny or prompt rule matches if it names one of them, an allow rule if it names all.',
  ),
  fingerprint: oneOrMore(
    { type: 'string', pattern: FINGERPRINT },
    'This definition and no other: "sha256:…" as `clawai mcp registry show` prints it.',
  ),
  args: ref('args'),
};

/** A call has only one subject. */
const ONE_SUBJECT: readonly JsonSchema[] = [
  ['tool', 'resource'],
  ['tool', 'prompt'],
  ['resource', 'prompt'],
].map((both) => ({ not: { required: both } }));

const ACTION_MEANS: Readonly<Record<Action, string>> = {
  allow: 'the call goes on',
  deny: 'it never reaches the server',
  prompt: 'a person has to say yes',
};

/** The table `[[rule]]` with these actions. */
export function ruleSchema(actions: readonly Action[]): JsonSchema {
  const means = actions.map((action) => `"${action}": ${ACTION_MEANS[action]}`).join('; ');
  return {
    type: 'array',
    description: 'Tried from top to bottom; the first one that matches decides.',
    items: table(
      {
        id: text({ description: 'A name for fixtures, logs and reports; no other rule may have it.', examples: ['no-shell'] }),
        action: word(actions, { description: `What happens to the call. ${means}.` }),
        ...MATCH_FIELDS,
        unless: table(MATCH_FIELDS, {
          minProperties: 1,
          description: 'The rule does not match a call that all of this matches.',
        }),
        description: { type: 'string', description: 'Why, for people and the model.' },
        require_person: flag('Only a person at a terminal may say yes; the client is never asked. For action = "prompt".', false),
        message: { type: 'string', description: 'What the model is told to do instead; without it, the description.' },
      },
      {
        required: ['action'],
        anyOf: SUBJECTS.map((subject) => ({ required: [subject] })),
        allOf: ONE_SUBJECT,
      },
    ),
  };
}

/** The action for calls that no rule matches. */
export const DEFAULT_ACTION = word(ACTIONS, { description: 'What happens to calls that no rule matches.', default: 'deny' });
