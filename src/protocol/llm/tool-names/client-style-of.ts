import type { ClientStyle, RequestHeaders } from './client-style.ts';
import { CLIENT_STYLES } from './client-styles.ts';

/**
 * Which client sent a request, by its user-agent and other headers. Undefined: unknown, as programs on an SDK are, and then every style
 * counts; so where there is doubt, none is better than a wrong one.
 */
export function clientStyleOf(headers: RequestHeaders): ClientStyle | undefined {
  return CLIENT_STYLES.find(({ isSentBy }) => isSentBy?.(headers) === true);
}
