import { errorMessageIn } from '../../error-message.ts';

/** Matches the API's message for a call without a result. */
const NO_RESULT = /\bNo tool (?:call )?output found for\b/i;

/**
 * Builds the error at which clients send the whole conversation again.
 *
 * @param refusal the body of upstream's answer with status 400 to a request that continues an answer
 * @returns undefined if the refusal is not about a call without a result
 */
export function replayError(refusal: string): { readonly status: number; readonly body: string } | undefined {
  if (!NO_RESULT.test(errorMessageIn(refusal) ?? '')) return undefined;
  const message =
    'clawai does not know any more which call of this conversation it denied: the whole conversation has to be sent without previous_response_id';
  return {
    status: 400,
    body: JSON.stringify({
      error: { message, type: 'invalid_request_error', param: 'previous_response_id', code: 'previous_response_not_found' },
    }),
  };
}
