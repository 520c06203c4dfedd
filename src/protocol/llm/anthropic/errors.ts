import { errorMessageIn } from '../error-message.ts';

/** Matches the API's message for a call without a result, present and former. */
const NO_RESULT = /\btool_use\b[^]*\bwithout\b[^]*\btool_result\b|^Did not find \d+ `tool_result`/;

/**
 * Builds the error at which clients send the whole conversation again, as a new thread (@anthropic-ai/sdk, `ThreadState.recoversFrom`).
 *
 * @param refusal the body of upstream's answer with status 400 to a request that continues a thread
 * @returns undefined if the refusal is not about a call without a result
 */
export function replayError(refusal: string): { readonly status: number; readonly body: string } | undefined {
  if (!NO_RESULT.test(errorMessageIn(refusal) ?? '')) return undefined;
  const why =
    'clawai does not know any more which call of this thread it denied: the conversation has to be sent as a new thread';
  return { status: 404, body: errorBody('not_found_error', why, { error_code: 'thread_not_found' }) };
}

/** Formats an error body as the API does. @param details further fields that programs read */
export function errorBody(
  type: 'invalid_request_error' | 'not_found_error' | 'api_error',
  message: string,
  details?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ type: 'error', error: { type, message, details } });
}
