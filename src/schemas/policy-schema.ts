import { ACTIONS } from '../core/decision.ts';
import { TABLES } from '../core/policy/tables.ts';
import { DETECTION_SCHEMA } from './detection-schema.ts';
import { APPROVAL_SCHEMA, FLOW_SCHEMA, RATE_LIMITS_SCHEMA } from './guard-schemas.ts';
import { MATCHER_DEFINITIONS } from './matcher-schemas.ts';
import { DEFAULT_ACTION, ruleSchema } from './rule-schema.ts';
import { DRAFT_07, type JsonSchema, table } from './shapes.ts';
import { tableSchema } from './table-schema.ts';

/** The tables in the order of evaluation; a missing one does not compile. */
const TABLE_SCHEMAS = {
  defaults: tableSchema(TABLES.defaults, { action: DEFAULT_ACTION }),
  // Lists without a `policy` are a mistake.
  server_policy: tableSchema(TABLES.server_policy, {}, { dependencies: { allow: ['policy'], deny: ['policy'] } }),
  flow: FLOW_SCHEMA,
  rule: ruleSchema(ACTIONS),
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
