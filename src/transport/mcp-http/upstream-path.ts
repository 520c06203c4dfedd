import type { RouteParts } from './route-parts.ts';

/**
 * Path and query that the remote server is asked with: those of its URL, and what the client's request has in addition.
 *
 * @param query with its question mark; empty where there is none
 */
export function upstreamPath({ path }: Pick<RouteParts, 'path'>, query: string): string {
  if (query === '') return path;
  return path.includes('?') ? `${path}&${query.slice(1)}` : path + query;
}
