import { readRemoteUrl } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { startRemote } from '../../transport/bridge/remote-process.ts';
import type { ServerProcess } from '../../transport/stdio/child-process.ts';
import { usageError } from '../command.ts';

/** A remote server that clients start as a process, and its name, unless somebody has given it another. */
export interface StartedRemote {
  readonly server: ServerProcess;
  readonly name: string;
}

/**
 * Prepares to reach a remote server. A server of `[[servers]]` in the config with this URL gets the headers there, and the name.
 *
 * @throws ClawaiError `usage` for a URL that clawai cannot reach
 */
export function startRemoteServer(url: string, config: Config, warn: (line: string) => void): StartedRemote {
  const read = readRemoteUrl(url);
  if (!read.ok) throw usageError(`--url ${read.problem}`, read.hint ?? 'give the URL of a server over HTTP');
  const declared = config.servers.find((server) => server.url === url);
  const name = declared?.id ?? new URL(url).hostname;
  const { message, frame } = config.limits;
  const server = startRemote({
    name,
    url: new URL(url),
    headers: declared?.headers ?? {},
    tlsFingerprint: declared?.tlsFingerprint,
    limits: { message, frame, depth: config.limits.depth },
    warn,
  });
  return { server, name };
}
