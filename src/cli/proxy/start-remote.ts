import { readRemoteUrl } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { startRemote } from '../../transport/bridge/remote-process.ts';
import type { ServerProcess } from '../../transport/stdio/child-process.ts';
import { usageError } from '../command.ts';
import { credentialsFor, openLogins, remoteServersOf } from '../login/managed-servers.ts';

/** A remote server that clients start as a process, and its name, unless somebody has given it another. */
export interface StartedRemote {
  readonly server: ServerProcess;
  readonly name: string;
}

/**
 * Prepares to reach a remote server. A server of `[[servers]]` in the config with this URL gets the headers there, and the name. One to which
 * clawai logs in, in the config or as `clawai wrap` has noted it, gets its token.
 *
 * @throws ClawaiError `usage` for a URL that clawai cannot reach; another if it can't be read whether clawai logs in
 */
export function startRemoteServer(url: string, config: Config, warn: (line: string) => void): StartedRemote {
  const read = readRemoteUrl(url);
  if (!read.ok) throw usageError(`--url ${read.problem}`, read.hint ?? 'give the URL of a server over HTTP');
  const declared = config.servers.find((server) => server.url === url);
  const managed = remoteServersOf(config).find((server) => server.auth === 'managed' && server.url === url);
  const name = declared?.id ?? managed?.name ?? new URL(url).hostname;
  const { message, frame, depth } = config.limits;
  const server = startRemote({
    name,
    url: new URL(url),
    headers: declared?.headers ?? {},
    credentials: managed === undefined ? undefined : credentialsFor(managed, openLogins(config), warn),
    tlsFingerprint: declared?.tlsFingerprint ?? managed?.tlsFingerprint,
    limits: { message, frame, depth },
    warn,
  });
  return { server, name };
}
