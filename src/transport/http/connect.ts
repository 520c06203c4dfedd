import { createHash } from 'node:crypto';
import { type LookupFunction, Socket, type TcpNetConnectOpts, connect as connectTcp, isIP } from 'node:net';
import { type TLSSocket, connect as connectTls } from 'node:tls';
import { openTunnel, proxyFor } from './env-proxy.ts';
import { UpstreamFault, toConnectFault } from './upstream-fault.ts';

/** Milliseconds after which a silent connection is probed, so that a dead one is noticed although nothing is sent. */
const PROBE_AFTER = 30_000;

export interface ConnectOptions {
  readonly url: URL;
  /** The fingerprint of the server's key: `sha256:` and hexadecimal digits. */
  readonly tlsFingerprint: string | undefined;
  /** Milliseconds for DNS lookup, TCP and TLS together. */
  readonly timeout: number;
  /** The addresses of the host, if they have been looked up. A proxy looks up hosts itself. */
  readonly addresses?: readonly string[] | undefined;
}

/**
 * Opens a connection for requests. TLS is used only once the certificate is trusted, and the key is the pinned one if there is a pin. A
 * self-signed certificate is trusted if its key is the pinned one.
 *
 * @param done called once, with an UpstreamFault or the socket
 */
export function connect(options: ConnectOptions, done: (fault: UpstreamFault | null, socket?: Socket) => void): void {
  const { url, timeout } = options;
  const proxy = proxyFor(url);
  if (proxy === undefined) {
    connectOver(undefined, options, done);
    return;
  }
  const ends = performance.now() + timeout;
  let isOver = false;
  const settle = (kind: UpstreamFault['kind'], why: string): void => {
    if (!isOver) done(new UpstreamFault(kind, `cannot reach ${url.origin}: ${why}`));
    isOver = true;
    clearTimeout(timer);
  };
  const giveUp = openTunnel(proxy, url, (fault, tunnel) => {
    clearTimeout(timer);
    if (fault !== undefined) settle('unreachable', fault);
    else if (isOver) tunnel?.destroy();
    else connectOver(tunnel, { ...options, timeout: Math.max(1, ends - performance.now()) }, done);
  });
  const timer = setTimeout(() => {
    settle('timeout', `no connection after ${timeout / 1000} s`);
    giveUp();
  }, timeout);
}

/** @param tunnel a connection that a proxy has made to the server */
function connectOver(
  tunnel: Socket | undefined,
  { url, tlsFingerprint, timeout, addresses }: ConnectOptions,
  done: (fault: UpstreamFault | null, socket?: Socket) => void,
): void {
  const isTls = url.protocol === 'https:';
  if (tunnel !== undefined && !isTls) {
    done(null, tunnel);
    return;
  }
  const socket = isTls ? openTls(url, tlsFingerprint !== undefined, tunnel ?? addresses) : openTcp(url, addresses);
  let isConnected = !isTls || tunnel !== undefined;
  const settle = (fault: UpstreamFault | null): void => {
    clearTimeout(timer);
    socket.off('error', fail).off('close', close);
    if (fault === null) {
      done(null, socket);
      return;
    }
    // The socket may fail again while it closes.
    socket.on('error', () => {}).destroy();
    done(fault);
  };
  const fail = (error: Error): void => settle(toConnectFault(error, url.origin, isTls && isConnected));
  const close = (): void =>
    settle(
      new UpstreamFault(isTls ? 'tls' : 'unreachable', `cannot reach ${url.origin}: the connection was closed while it was made`),
    );
  const timer = setTimeout(() => {
    settle(new UpstreamFault('timeout', `cannot reach ${url.origin}: no connection after ${timeout / 1000} s`));
  }, timeout);
  socket.on('error', fail).on('close', close);
  if ('getPeerX509Certificate' in socket) {
    socket.once('connect', () => (isConnected = true));
    socket.once('secureConnect', () => settle(findDistrust(socket, url.origin, tlsFingerprint)));
  } else {
    socket.once('connect', () => settle(null));
  }
}

function openTcp(url: URL, addresses: readonly string[] | undefined): Socket {
  return connectTcp({ ...placeOf(url, addresses), noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBE_AFTER });
}

function placeOf(url: URL, addresses: readonly string[] | undefined): TcpNetConnectOpts {
  const place = { host: hostOf(url), port: portOf(url) };
  return addresses === undefined ? place : { ...place, lookup: answerWith(addresses) };
}

/** Answers look-ups with what is known. */
function answerWith(addresses: readonly string[]): LookupFunction {
  return (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all === true) done(null, found);
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

/** @param over a connection that a proxy has made to the server, or the server's addresses if they are known */
function openTls(url: URL, isPinned: boolean, over: Socket | readonly string[] | undefined): TLSSocket {
  const host = hostOf(url);
  const socket = connectTls({
    ...(over instanceof Socket ? { host, socket: over } : placeOf(url, over)),
    ALPNProtocols: ['http/1.1'],
    // Only names are sent as SNI; addresses are not names (RFC 6066 3).
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // The certificate of a pinned server is checked once its key is known. Nothing is sent before.
    rejectUnauthorized: !isPinned,
  });
  return socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER);
}

function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function findDistrust(socket: TLSSocket, origin: string, expected: string | undefined): UpstreamFault | null {
  if (expected === undefined) return null;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return new UpstreamFault('tls', `cannot reach ${origin}: it sent no certificate`);
  try {
    const key = certificate.publicKey;
    const found = `sha256:${createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex')}`;
    if (found !== expected.toLowerCase()) {
      const message = `${origin} has another key than the pinned one: expected ${expected}, found ${found}`;
      return new UpstreamFault('fingerprint', message, { fingerprints: { expected, found } });
    }
    const isSelfSigned = certificate.checkIssued(certificate) && certificate.verify(key);
    if (socket.authorized || isSelfSigned) return null;
  } catch (error) {
    // OpenSSL may support a key's type well enough to connect, but not to export it.
    return new UpstreamFault('tls', `cannot reach ${origin}: the key of its certificate cannot be read`, { cause: error });
  }
  return new UpstreamFault(
    'tls',
    `cannot reach ${origin}: its certificate is not trusted (${String(socket.authorizationError)})`,
  );
}
