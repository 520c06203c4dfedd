/** A call in a model's answer, seen before the agent gets it. The agent's call at a server is another event. */
export const MODEL_CALL_TYPE = 'mcp_tool_call_intercepted';

/** Types of events about a call that was decided or stopped. */
export const CALL_TYPES = [
  'mcp_tool_called',
  MODEL_CALL_TYPE,
  'mcp_resource_read',
  'mcp_prompt_requested',
  'mcp_request_decided',
] as const;

/** A finding of a flow rule, even if it was only reported. */
export const FLOW_TYPE = 'mcp_cross_server_blocked';

/** A finding of detection in a text. */
export const DETECTION_TYPE = 'mcp_detection';

/** The result of a denied call: it was made all the same, or somebody invented the result. */
export const DENIED_RESULT_TYPE = 'mcp_denied_call_result';

/** The server of `clawai doctor --live`: its calls are decided by its own policy, so they say nothing about the user's. */
export const CANARY_SERVER = 'clawai-doctor';

/** Bodies of requests to LLM providers, and of their answers. */
export const BODY_TYPES = { request: 'llm_request_body', answer: 'llm_answer_body' } as const;

/** Counts of the requests to a model, by outcome. */
export const MODEL_REQUESTS_TYPE = 'llm_requests_counted';

/** Secrets in a request to a model, and tokens in an answer that stand for none. */
export const SECRETS_TYPE = 'dlp_secrets_found';
export const UNKNOWN_TOKENS_TYPE = 'dlp_tokens_unknown';

/** All types of events that a store may contain. */
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
  SECRETS_TYPE,
  UNKNOWN_TOKENS_TYPE,
  FLOW_TYPE,
  DENIED_RESULT_TYPE,
] as const;
