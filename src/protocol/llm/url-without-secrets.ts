/** A URL as it may be shown and recorded: without user, query and fragment, where secrets are. @param url as a request has it, which need not be one */
export function urlWithoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
