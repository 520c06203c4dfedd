import { CONFIG_SCHEMA } from './config-schema.ts';
import { FIXTURE_SCHEMA } from './fixture-schema.ts';
import type { JsonSchema } from './shapes.ts';
import { POLICY_SCHEMA, PROJECT_SCHEMA } from './policy-schema.ts';

/** The names of the schemas, as people type them. */
export const SCHEMA_NAMES = ['policy', 'project', 'config', 'fixture'] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

export const SCHEMAS: Readonly<Record<SchemaName, JsonSchema>> = {
  policy: POLICY_SCHEMA,
  project: PROJECT_SCHEMA,
  config: CONFIG_SCHEMA,
  fixture: FIXTURE_SCHEMA,
};

/** Formats a schema as the text of a file. */
export function formatSchema(name: SchemaName): string {
  return `${JSON.stringify(SCHEMAS[name], undefined, 2)}\n`;
}
