import type { Config } from '../../config/config.ts';
import type { StartPolicy } from '../../config/start-policy.ts';
import type { OwnPlaces } from './own-paths.ts';

/** The files that decide, wherever the user has put them, and those that keep others out. */
export function ownFiles(
  start: Pick<StartPolicy, 'project'> & { readonly file: string | undefined },
  { file, audit, serve: { tls, tokenFile } }: Pick<Config, 'file' | 'audit' | 'serve'>,
): OwnPlaces['files'] {
  return [
    { path: start.file, what: 'policy' },
    { path: start.project?.file, what: 'policy of the project' },
    { path: file, what: 'config' },
    { path: audit.jsonl, what: 'events' },
    { path: tls?.key, what: 'key of the listener' },
    { path: tls?.cert, what: 'certificate of the listener' },
    { path: tokenFile, what: 'token of the listener' },
  ];
}
