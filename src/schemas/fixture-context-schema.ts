import { CATEGORIES } from '../core/call.ts';
import { SEVERITIES } from '../core/finding.ts';
import { FINGERPRINT } from './rule-schema.ts';
import { type JsonSchema, table, word } from './shapes.ts';

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
  servers: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Servers that are part of the session besides those that were called.',
  },
  findings: findings('What detection finds in the definition of the tool.'),
  serverFindings: findings('What detection finds in what the server says of itself.'),
  definition: { type: 'object', description: 'The definition as it is listed, which detection really scans.' },
  approved: { type: 'boolean', description: 'A person has approved the findings as they are.' },
};

/** An unlisted tool has no definition, and so no fingerprint. */
const UNLISTED: JsonSchema = {
  not: { required: ['pin', 'fingerprint'], properties: { pin: { const: 'unlisted' } } },
};

export const SESSION_CONTEXT = table(KEYS, { ...UNLISTED, description: 'What clawai knows besides the calls.' });

export const CALL_CONTEXT = table(
  {
    ...KEYS,
    shadowed: { type: 'string', minLength: 1, description: 'The server that first listed the name of the tool.' },
    unmapped: { const: true, description: "The tool's name looks like that of an MCP tool, and its server is not known." },
  },
  { ...UNLISTED, description: 'What clawai knows besides the call. Without it, no definition was scanned.' },
);
