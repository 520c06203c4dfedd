import { ACTIONS } from '../core/decision.ts';
import { FLOW_RULES, SEVERITIES } from '../core/finding.ts';
import { DRAFT_07, DURATIONS, type JsonSchema, table, word } from './shapes.ts';
import { CATEGORIES } from '../core/call.ts';
import { FINGERPRINT } from './rule-schema.ts';

const FINDING = table(
  {
    severity: word(SEVERITIES, { description: 'How bad it is.' }),
    rule: { type: 'string', minLength: 1, description: 'What found it.', examples: ['exfiltration.to_address'] },
    field: { type: 'string', description: 'Where, such as "description".' },
    description: { type: 'string', description: 'What was found, for people.' },
  },
  { required: ['severity', 'rule'] },
);

function findings(description: string): JsonSchema {
  return { type: 'array', items: FINDING, description };
}

/** Keys that may also hold for a whole session. */
const KEYS: Readonly<Record<string, JsonSchema>> = {
  pin: word(['pinned', 'changed', 'new', 'unlisted'], {
    description: 'How the called definition compares with what was approved.',
    default: 'pinned',
  }),
  fingerprint: { type: 'string', pattern: FINGERPRINT, description: 'The fingerprint of the definition that was seen last.' },
  serverIdentity: { const: 'changed', description: 'The server is started differently than was approved.' },
  category: {
    type: 'array',
    items: { enum: CATEGORIES },
    minItems: 1,
    description: 'The categories of the tool; without this, clawai infers them from its name.',
  },
  user: {
    type: 'array',
    items: { type: 'string' },
    description: 'Texts that the user, or the system prompt, said before the call.',
  },
  servers: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Servers that are part of the session besides those that were called.',
  },
  findings: findings('What detection finds in the definition of the tool.'),
  serverFindings: findings('What detection finds in what the server says of itself.'),
  definition: {
    type: 'object',
    description:
      'The definition as it is listed, which detection really scans, and whose schema the arguments are compared with.',
  },
  approved: { type: 'boolean', description: 'A person has approved the findings as they are.' },
};

/** An unlisted tool has no definition, and so no fingerprint. */
const UNLISTED: JsonSchema = {
  not: { required: ['pin', 'fingerprint'], properties: { pin: { const: 'unlisted' } } },
};

const SESSION_CONTEXT = table(KEYS, { ...UNLISTED, description: 'What clawai knows besides the calls.' });

const CALL_CONTEXT = table(
  {
    ...KEYS,
    shadowed: { type: 'string', minLength: 1, description: 'The server that first listed the name of the tool.' },
    unmapped: { const: true, description: "The tool's name looks like that of an MCP tool, and its server is not known." },
  },
  { ...UNLISTED, description: 'What clawai knows besides the call. Without it, no definition was scanned.' },
);

const NAME: JsonSchema = { type: 'string', minLength: 1, description: 'A description for people.' };

const SERVER: JsonSchema = {
  type: 'string',
  minLength: 1,
  description: 'The server that is called; "native" for the agent\'s own tools.',
  examples: ['files', 'native'],
};

const METHOD: JsonSchema = {
  type: 'string',
  minLength: 1,
  description: "What is called, by MCP's name.",
  examples: ['tools/call', 'resources/read', 'prompts/get'],
};

const PARAMS: JsonSchema = {
  type: 'object',
  description: 'As the client sends them: {"name": …, "arguments": {…}} of a tool or prompt, {"uri": …} of a resource.',
  examples: [{ name: 'read_file', arguments: { path: '/etc/hosts' } }, { uri: 'file:///etc/hosts' }],
};

const WITH_INPUT = ['_meta', 'inputResponses', 'requestState'];

/** The required and allowed params of reviewed methods. */
const PARAMS_OF: readonly JsonSchema[] = [
  paramsOf('tools/call', 'name', ['arguments', 'task', ...WITH_INPUT]),
  paramsOf('prompts/get', 'name', ['arguments', ...WITH_INPUT]),
  paramsOf('resources/read', 'uri', WITH_INPUT),
  mayHave('resources/subscribe', ['uri', '_meta']),
  mayHave('resources/unsubscribe', ['uri', '_meta']),
  mayHave('completion/complete', ['ref', 'argument', 'context', '_meta']),
];

function paramsOf(method: string, subject: string, others: readonly string[]): JsonSchema {
  const args: Readonly<Record<string, JsonSchema>> = others.includes('arguments')
    ? { arguments: { type: ['object', 'null'] } }
    : {};
  const params: JsonSchema = {
    required: [subject],
    properties: { [subject]: { type: 'string' }, ...args },
    propertyNames: { enum: [subject, ...others] },
  };
  return ifMethod(method, { required: ['params'], properties: { params } });
}

function mayHave(method: string, keys: readonly string[]): JsonSchema {
  return ifMethod(method, { properties: { params: { propertyNames: { enum: keys } } } });
}

function ifMethod(method: string, then: JsonSchema): JsonSchema {
  return { anyOf: [{ not: { required: ['method'], properties: { method: { const: method } } } }, then] };
}

const OUTCOMES = ['pass', 'alert', 'redact', 'deny'] as const;

const EXPECTATION: Readonly<Record<string, JsonSchema>> = {
  expected: word([...ACTIONS, 'unmatched'], {
    description:
      'What should happen to the call. "unmatched" is for a project\'s policy: none of its rules matches, and the user\'s policy decides.',
  }),
  expectedRule: {
    anyOf: [{ type: 'string', minLength: 1 }, { type: 'integer', minimum: 1 }, { type: 'null' }],
    description:
      'What should decide: the id of a rule, its number from 1, the name of a guard ("self", "server_policy", "schema", "dlp", "pinning", "flow:burst", "rate_limit", "detection:definition", "detection:request", "unmapped_tool"), or null for the default.',
  },
  expectedFlow: {
    type: 'array',
    items: { enum: FLOW_RULES },
    uniqueItems: true,
    description: 'All that the rules of [flow] should find, also where they only alert; [] for nothing.',
  },
  expectedSchema: {
    type: 'boolean',
    description: 'Whether the arguments should fit the schema of the "definition" in the context, whatever [schema] does.',
  },
  expectedDlp: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'The kinds of secrets in the arguments, whatever [dlp] does; [] for none.',
  },
  expectedRequest: word(OUTCOMES, { description: 'What [detection] should do with what a server asks for itself.' }),
};

/** Requires one of these keys: without an expectation a fixture can't fail. */
function expecting(keys: readonly string[]): JsonSchema {
  return { anyOf: keys.map((key) => ({ required: [key] })) };
}

/** `expectedRequest` applies only to servers' own requests. */
const OF_SERVERS: JsonSchema = {
  anyOf: [
    { not: { required: ['expectedRequest'] } },
    { properties: { method: { enum: ['sampling/createMessage', 'elicitation/create', 'roots/list'] } } },
  ],
};

const SCHEMA_KEY: JsonSchema = {
  type: 'string',
  description: 'The address of the schema, for editors; clawai does not read it.',
};

const STEP: JsonSchema = table(
  {
    at: {
      type: 'string',
      pattern: DURATIONS,
      description: 'The time since the start of the session.',
      examples: ['5s', '1m30s'],
    },
    server: SERVER,
    method: METHOD,
    params: PARAMS,
    context: CALL_CONTEXT,
    result: { type: ['object', 'string'], description: 'What the server answers: the result, or its text.' },
    turn: { type: 'string', minLength: 1, description: 'The answer of the model that this call comes from, by any name.' },
    approved: { const: true, description: 'A person says yes where the policy asks.' },
    retracted: { const: true, description: 'The call is withdrawn after it was decided.' },
    ...EXPECTATION,
    expectedResult: word(OUTCOMES, { description: 'What [detection] should do with the result.' }),
  },
  {
    required: ['method'],
    dependencies: { expectedResult: ['result'] },
    allOf: [...PARAMS_OF, OF_SERVERS],
    not: { required: ['retracted', 'result'] },
  },
);

const CALL = table(
  { $schema: SCHEMA_KEY, name: NAME, server: SERVER, method: METHOD, params: PARAMS, context: CALL_CONTEXT, ...EXPECTATION },
  { required: ['method'], allOf: [...PARAMS_OF, OF_SERVERS, expecting(Object.keys(EXPECTATION))], description: 'One call.' },
);

const SESSION = table(
  {
    $schema: SCHEMA_KEY,
    name: NAME,
    server: { ...SERVER, description: 'The server of steps that name none.' },
    context: SESSION_CONTEXT,
    tools: {
      type: 'object',
      propertyNames: { minLength: 1, not: { pattern: String.raw`^\d+$` } },
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'What each server lists, in the order in which they list it.',
      examples: [{ files: ['read_file'], notes: ['read_file'] }],
    },
    steps: { type: 'array', minItems: 1, items: STEP, description: 'The calls of one session, in their order.' },
  },
  {
    required: ['steps'],
    allOf: [{ properties: { steps: { contains: expecting([...Object.keys(EXPECTATION), 'expectedResult']) } } }],
    anyOf: [{ required: ['server'] }, { properties: { steps: { items: { required: ['server'] } } } }],
    description: 'Several calls of one session.',
  },
);

/** The schema of a fixture file. */
export const FIXTURE_SCHEMA: JsonSchema = {
  $schema: DRAFT_07,
  title: 'Fixtures of clawai',
  description: 'Calls, and what should happen to them: one fixture, or a list of them.',
  anyOf: [{ $ref: '#/definitions/fixture' }, { type: 'array', minItems: 1, items: { $ref: '#/definitions/fixture' } }],
  definitions: { fixture: { anyOf: [CALL, SESSION] } },
};
