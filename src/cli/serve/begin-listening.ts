import { readFileSync } from 'node:fs';
import { isLoopback, type ListenAddress, parseListenAddress } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { ClawaiError } from '../../errors.ts';
import { type Listener, type ListenerOptions, startListener } from '../../transport/http/listener.ts';
import { usageError } from '../command.ts';

/** The address to listen on. @param typed as a person gave it, in place of the config's. @throws ClawaiError `usage` */
export function listenOn({ listen }: Config, typed: string | undefined): ListenAddress {
  if (typed === undefined) return listen;
  const address = parseListenAddress(typed);
  if (address !== undefined) return address;
  throw usageError(
    `--listen: ${JSON.stringify(typed)} is no address`,
    'say for example --listen 127.0.0.1:8787, or port 0 for any that is free',
  );
}

/** The access to our listener. An address other than loopback must have TLS and a token. @throws ClawaiError */
export function accessOf(
  { serve: { tls, tokenFile, hosts } }: Config,
  { host }: ListenAddress,
): Pick<ListenerOptions, 'tls' | 'token' | 'hosts'> {
  if (!isLoopback(host) && (tls === undefined || tokenFile === undefined)) {
    throw usageError(
      `${host} can be reached by other machines, so it needs TLS and a token`,
      'set tls_cert, tls_key and token_file in the [serve] table of config.toml, or listen on 127.0.0.1',
    );
  }
  const token = tokenFile === undefined ? undefined : readFile(tokenFile).toString('utf8').trim();
  if (token !== undefined && token.length < 16) {
    throw new ClawaiError(`${tokenFile}: the token is shorter than 16 characters`, {
      code: 'config_invalid',
      hint: 'make one with: openssl rand -hex 16',
    });
  }
  return {
    hosts,
    ...(tls === undefined ? {} : { tls: { cert: readFile(tls.cert), key: readFile(tls.key) } }),
    ...(token === undefined ? {} : { token }),
  };
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ClawaiError(`${file} cannot be read: ${why}`, { code: 'config_unreadable', cause: error });
  }
}

/** Begins to listen. @throws ClawaiError `listen_failed` */
export async function begin(options: ListenerOptions): Promise<Listener> {
  try {
    return await startListener(options);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const where = `${options.host}:${options.port}`;
    const isTaken = code === 'EADDRINUSE';
    const why = isTaken ? 'another program listens there' : error instanceof Error ? error.message : String(error);
    throw new ClawaiError(`cannot listen on ${where}: ${why}`, {
      code: 'listen_failed',
      hint: isTaken
        ? 'clawai status says whether it is another clawai serve; --listen takes another port'
        : 'choose another address with --listen',
      cause: error,
    });
  }
}
