/** The body of an error, as the API tells it. @param details what programs read besides the type */
export function errorBody(
  type: 'invalid_request_error' | 'not_found_error' | 'api_error',
  message: string,
  details?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ type: 'error', error: { type, message, details } });
}
