import { ACTIONS } from '../core/decision.ts';
import { DETECTION_SCHEMA } from './detection-schema.ts';
import { FLOW_SCHEMA } from './flow-schema.ts';
import { APPROVAL_SCHEMA, CLASSIFY_SCHEMA, PINNING_SCHEMA, RATE_LIMITS_SCHEMA, SERVER_POLICY_SCHEMA } from './guard-schemas.ts';
import { MATCHER_DEFINITIONS } from './matcher-schemas.ts';
import { DEFAULT_ACTION, ruleSchema } from './rule-schema.ts';
import { DRAFT_07, type JsonSchema, table, word } from './shapes.ts';

function allowOrDeny(usual: 'allow' | 'deny', description: string): JsonSchema {
  return word(['allow', 'deny'], { description, default: usual });
}

const DEFAULTS_SCHEMA = table(
  {
    action: DEFAULT_ACTION,
    native: allowOrDeny('allow', 'The agent\'s own tools (Bash, Edit, …) that no rule with `server = "native"` matches.'),
    unknown_methods: allowOrDeny('allow', 'Methods that MCP does not have.'),
    unknown_server: allowOrDeny('allow', 'Calls to tools that their server never listed.'),
    unmapped_tool: allowOrDeny('deny', "Calls whose name looks like an MCP tool's and belongs to no known server."),
  },
  { description: 'What counts where no rule matches.' },
);

/** What a policy may say. */
export const POLICY_SCHEMA: JsonSchema = {
  $schema: DRAFT_07,
  title: 'Policy of clawai',
  description: 'What agents may do with their MCP servers.',
  ...table({
    defaults: DEFAULTS_SCHEMA,
    server_policy: SERVER_POLICY_SCHEMA,
    flow: FLOW_SCHEMA,
    rule: ruleSchema(ACTIONS),
    pinning: PINNING_SCHEMA,
    rate_limits: RATE_LIMITS_SCHEMA,
    detection: DETECTION_SCHEMA,
    classify: CLASSIFY_SCHEMA,
    approval: APPROVAL_SCHEMA,
  }),
  definitions: MATCHER_DEFINITIONS,
};

/** What a project's policy may say: rules that are stricter than the user's own policy, and nothing else. */
export const PROJECT_SCHEMA: JsonSchema = {
  $schema: DRAFT_07,
  title: "A project's policy of clawai",
  description: 'Rules that count beside your own policy for servers that are started in this project. They can only be stricter.',
  ...table({ rule: ruleSchema(['deny', 'prompt']) }),
  definitions: MATCHER_DEFINITIONS,
};
