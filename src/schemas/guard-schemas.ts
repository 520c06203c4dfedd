import { CHANNELS } from '../core/policy/parse-approval.ts';
import { FLOW_TABLES } from '../core/policy/parse-flow.ts';
import { MOST_RATE } from '../core/policy/parse-rate-limits.ts';
import { TABLES } from '../core/policy/tables.ts';
import { type JsonSchema, table } from './shapes.ts';
import { tableSchema } from './table-schema.ts';

/** `[flow]`. */
export const FLOW_SCHEMA = tableSchema(TABLES.flow, {
  read_then_send: tableSchema(FLOW_TABLES.read_then_send, {}),
  cross_server_flow: tableSchema(FLOW_TABLES.cross_server_flow, {}),
  burst: tableSchema(FLOW_TABLES.burst, {}),
  shadow_tool: tableSchema(FLOW_TABLES.shadow_tool, {}),
});

const RPM: JsonSchema = { type: 'number', exclusiveMinimum: 0, maximum: MOST_RATE, description: 'Calls a minute.' };
const BURST: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: MOST_RATE,
  description: 'How many calls may come at once after a pause; a sixth of the rate, at least one, if not given.',
};

/** `[rate_limits]`. Limits that nothing switches on or off are a mistake. */
export const RATE_LIMITS_SCHEMA = tableSchema(
  TABLES.rate_limits,
  {
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
  { dependencies: { default_rpm: ['enabled'], default_burst: ['enabled'], server: ['enabled'] } },
);

/** `[approval]`. `desktop` only points to `terminal`, where the answer is given. */
export const APPROVAL_SCHEMA = tableSchema(TABLES.approval, {
  channels: {
    type: 'array',
    items: { enum: CHANNELS },
    uniqueItems: true,
    anyOf: [{ not: { contains: { const: 'desktop' } } }, { contains: { const: 'terminal' } }],
    description: '"terminal" is `clawai approvals`, "desktop" notifies you; an empty list denies such calls.',
    default: CHANNELS,
  },
});
