import { CHANNELS } from '../core/policy/parse-approval.ts';
import { FLOW_TABLES } from '../core/policy/parse-flow.ts';
import { SERVER_RATE, TOOL_RATE } from '../core/policy/parse-rate-limits.ts';
import { TABLES } from '../core/policy/tables.ts';
import { tableSchema } from './table-schema.ts';

/** The table `[flow]`. */
export const FLOW_SCHEMA = tableSchema(TABLES.flow, {
  read_then_send: tableSchema(FLOW_TABLES.read_then_send, {}),
  cross_server_flow: tableSchema(FLOW_TABLES.cross_server_flow, {}),
  burst: tableSchema(FLOW_TABLES.burst, {}),
  shadow_tool: tableSchema(FLOW_TABLES.shadow_tool, {}),
});

/** The table `[rate_limits]`. Limits without `enabled` are a mistake. */
export const RATE_LIMITS_SCHEMA = tableSchema(
  TABLES.rate_limits,
  {
    server: {
      type: 'object',
      description: 'Limits of servers, by name.',
      additionalProperties: tableSchema(
        { keys: SERVER_RATE },
        {
          tool: {
            type: 'object',
            description: "Limits of the server's tools, by name, besides its own.",
            additionalProperties: tableSchema({ keys: TOOL_RATE }, {}, { required: ['rpm'] }),
          },
        },
      ),
    },
  },
  { dependencies: { default_rpm: ['enabled'], default_burst: ['enabled'], server: ['enabled'] } },
);

/** The table `[approval]`. `desktop` only points to `terminal`, where the answer is given. */
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
