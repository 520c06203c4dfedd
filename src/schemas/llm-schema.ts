import { LLM_DIALECTS } from '../config/llm-dialects.ts';
import type { JsonSchema } from './json-schema.ts';
import { HTTP_URL, SECRET_SCHEMA } from './servers-schema.ts';
import { duration, flag, table, word } from './shapes.ts';

const DIALECTS = LLM_DIALECTS.map(({ dialect }) => dialect);

const BASE_URL: JsonSchema = {
  type: 'string',
  pattern: HTTP_URL,
  description: "What the API's SDK has as base URL; https unless it is on this machine.",
  examples: ['https://llm.example.com/team/v1'],
};

/** A provider of its API's name: it has that dialect anyway, and a URL. */
function providerOf({ dialect, url }: (typeof LLM_DIALECTS)[number]): JsonSchema {
  return table(
    {
      dialect: { const: dialect, description: 'The API that it speaks.', default: dialect },
      base_url: { ...BASE_URL, default: url },
      secret: SECRET_SCHEMA,
    },
    { description: `The provider ${dialect}.` },
  );
}

/** `[llm]`. */
export const LLM_SCHEMA = table(
  {
    mode: word(['embedded', 'mcp-only', 'disabled'], {
      description:
        '"disabled": what goes to LLM providers is left alone. "mcp-only" differs from "embedded" only in the default of store_bodies so far.',
      default: 'embedded',
    }),
    providers: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$' },
      properties: Object.fromEntries(LLM_DIALECTS.map((known) => [known.dialect, providerOf(known)])),
      additionalProperties: table(
        { dialect: word(DIALECTS, { description: 'The API that it speaks.' }), base_url: BASE_URL, secret: SECRET_SCHEMA },
        { required: ['dialect', 'base_url'] },
      ),
      description: 'LLM providers, by name.',
    },
    store_bodies: flag('Keep what is said to models and by them, without secrets; true with mode = "mcp-only".', false),
    retain: duration({ description: 'For how long, an hour at least.', default: '30d' }),
  },
  { description: 'What is done to what goes to LLM providers.' },
);
