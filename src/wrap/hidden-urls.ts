import { showUrl } from '../remote/show-url.ts';
import type { FoundServer } from './read-servers.ts';
import type { Routes } from './routes.ts';

/** URLs as a config has them, with their quotation marks, and as they are shown instead. */
export type HiddenUrls = ReadonlyMap<string, string>;

/** The URLs of remote servers that have something in them which is not shown. Ours, whose secrets are of use to nobody else, stay. */
export function hiddenUrls(servers: readonly FoundServer[], routes: Pick<Routes, 'find'>): HiddenUrls {
  return new Map(
    servers.flatMap(({ entry: { url, rawUrl } }) => {
      if (url === undefined || rawUrl === undefined || routes.find(url) !== undefined) return [];
      const shown = showUrl(url);
      return shown === url ? [] : [[rawUrl, JSON.stringify(shown)] as const];
    }),
  );
}

/** A text for people without them. */
export function hideUrls(text: string, hidden: HiddenUrls): string {
  return [...hidden].reduce((shown, [raw, instead]) => shown.replaceAll(raw, () => instead), text);
}
