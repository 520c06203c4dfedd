import { MISTAKEN_WORDS, OPERATORS } from '../core/policy/parse-matcher.ts';
import { type JsonSchema, ref, table } from './shapes.ts';

const GLOB_SAID = '`*` matches any characters but `/`, `**` any at all, `?` one that is not `/`; everything else matches itself.';

const REGEX: JsonSchema = {
  type: 'string',
  description: 'A regular expression in RE2 syntax. It matches anywhere unless it is anchored with ^ and $.',
};

/** A number to compare values with. */
function bound(description: string): JsonSchema {
  return { type: 'number', description };
}

const BOUNDS = {
  gt: bound('Greater than this.'),
  gte: bound('This or greater.'),
  lt: bound('Less than this.'),
  lte: bound('This or less.'),
};

/** Operators for names, which always exist and are always text. */
const NAME_OPERATORS = table(
  {
    not: ref('name', { description: 'Anything but this.' }),
    regex: REGEX,
    equals: { type: 'string', description: 'Exactly this text.' },
  },
  { minProperties: 1 },
);

const ARGUMENT_OPERATORS = table(
  {
    not: {
      anyOf: [ref('scalar'), ref('scalars'), ref('operators')],
      description: 'Anything but this.',
    },
    regex: REGEX,
    equals: { type: ['string', 'number', 'boolean'], description: 'Exactly this value.' },
    ...BOUNDS,
    exists: { type: 'boolean', description: 'Whether the argument exists.' },
  },
  { minProperties: 1 },
);

/** Matches the name of an argument, or a wildcard that stands alone. */
const SEGMENT: JsonSchema = { pattern: String.raw`^(?:\*|\*\*|[^*/]*)$` };

/** Matches a JSON Pointer. */
const POINTER = '^/(?:[^~]|~[01])*$';

const NO_OPERATOR: JsonSchema = { not: { enum: OPERATORS } };

/** The building blocks of rules' fields; rules refer to them by these names. */
export const MATCHER_DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  glob: { type: 'string', minLength: 1, description: `A glob. ${GLOB_SAID}` },
  name: {
    anyOf: [ref('glob'), { type: 'array', minItems: 1, items: ref('glob'), description: 'Any of these globs.' }, NAME_OPERATORS],
  },
  scalar: {
    anyOf: [ref('glob'), { type: 'number', description: 'This number.' }, { type: 'boolean', description: 'This value.' }],
  },
  scalars: { type: 'array', minItems: 1, items: ref('scalar'), description: 'Any of these: globs, numbers, true or false.' },
  operators: ARGUMENT_OPERATORS,
  argument: {
    anyOf: [
      ref('scalar'),
      ref('scalars'),
      ref('operators'),
      {
        type: 'object',
        minProperties: 1,
        propertyNames: { allOf: [SEGMENT, { not: { enum: MISTAKEN_WORDS } }] },
        additionalProperties: ref('argument'),
        description: 'What this argument contains, by name.',
      },
    ],
  },
  whole: {
    anyOf: [
      { type: ['string', 'number', 'boolean'] },
      { type: 'array', items: ref('whole') },
      { type: 'object', additionalProperties: ref('whole') },
    ],
  },
  args: {
    anyOf: [
      {
        type: 'object',
        required: ['equals'],
        properties: {
          equals: {
            type: 'object',
            additionalProperties: ref('whole'),
            description: 'All arguments: exactly these and no others.',
          },
        },
        additionalProperties: false,
      },
      {
        type: 'object',
        minProperties: 1,
        propertyNames: { anyOf: [{ pattern: POINTER }, { allOf: [SEGMENT, NO_OPERATOR] }] },
        patternProperties: { '^/': { anyOf: [ref('scalar'), ref('scalars'), ref('operators')] } },
        additionalProperties: ref('argument'),
      },
    ],
    description:
      'Arguments by name, also nested (`args.options.path`). `"*"` is any one name, `"**"` any depth, a key that starts with `/` a JSON Pointer. ' +
      '`args = { equals = { … } }` matches all arguments, exactly these and no others.',
    examples: [{ path: '/etc/**' }, { '**': ['**/.ssh', '**/.ssh/**'] }, { count: { gt: 100 } }, { equals: { path: '/tmp/x' } }],
  },
};
