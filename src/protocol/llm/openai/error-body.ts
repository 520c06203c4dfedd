/** An error as the API's SDKs read it, as a body or as the data of an event. @param kind whose fault it is: the client's, or ours and upstream's */
export function formatError(message: string, kind: 'request' | 'server'): string {
  const type = kind === 'request' ? 'invalid_request_error' : 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code: null } });
}
