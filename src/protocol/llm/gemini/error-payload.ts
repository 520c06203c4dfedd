/** An error as Google's SDKs read it. @param kind whose fault it is: the client's, or ours and upstream's */
export function errorPayload(message: string, kind: 'request' | 'server'): string {
  const [code, status] = kind === 'request' ? [400, 'INVALID_ARGUMENT'] : [500, 'INTERNAL'];
  return JSON.stringify({ error: { code, message, status } });
}
