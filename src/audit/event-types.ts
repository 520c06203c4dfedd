/** A call that a model has made, seen before the agent has. Where the agent then makes it at a server, that is another event. */
export const MODEL_CALL_TYPE = 'mcp_tool_call_intercepted';

/** Types of events that are about a call: something that was decided, or stopped. */
export const CALL_TYPES = [
  'mcp_tool_called',
  MODEL_CALL_TYPE,
  'mcp_resource_read',
  'mcp_prompt_requested',
  'mcp_request_decided',
] as const;

/** What a rule on flow has found, also where it was only told of. */
export const FLOW_TYPE = 'mcp_cross_server_blocked';

/** Something that detection has found in a text. */
export const DETECTION_TYPE = 'mcp_detection';

/** The result of a call that was denied: it has been made all the same, or somebody has made the result up. */
export const DENIED_RESULT_TYPE = 'mcp_denied_call_result';

/** The server of `clawai doctor --live`: its calls are decided by a policy of its own, and say nothing of the user's. */
export const CANARY_SERVER = 'clawai-doctor';

/** What was asked of LLM providers, and what they have answered. */
export const BODY_TYPES = { request: 'llm_request_body', answer: 'llm_answer_body' } as const;

/** How many requests came to a model, and what became of them. */
export const MODEL_REQUESTS_TYPE = 'llm_requests_counted';

/** Every type of event that may be in a store. */
export const EVENT_TYPES = [
  ...CALL_TYPES,
  'mcp_message_refused',
  'mcp_connection_ended',
  'mcp_policy_changed',
  'mcp_tool_seen',
  'mcp_tool_changed',
  'mcp_server_changed',
  DETECTION_TYPE,
  'mcp_network_connection',
  'mcp_store_replaced',
  'mcp_denied_call_made',
  'mcp_tool_definition_differs',
  BODY_TYPES.request,
  BODY_TYPES.answer,
  MODEL_REQUESTS_TYPE,
  FLOW_TYPE,
  DENIED_RESULT_TYPE,
] as const;
