import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Running } from './running.ts';
import { type Sandbox, serverPackage, support } from './sandbox.ts';

export interface HttpServer {
  /** By the name `localhost`, since suites check what a server does about other names. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts the everything server, which speaks streamable HTTP of the legacy era, or HTTP+SSE. */
export async function startEverything(
  sandbox: Sandbox,
  transport: 'streamableHttp' | 'sse' = 'streamableHttp',
): Promise<HttpServer> {
  const port = await freePort();
  const running = new Running([process.execPath, serverPackage('everything'), transport], {
    env: { ...sandbox.env, PORT: String(port) },
    cwd: sandbox.folder,
  });
  await running.until(() => / on port \d/.test(running.stderr));
  return { url: `http://localhost:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`, stop: () => stop(running) };
}

/** Starts the server of both eras that conformance suites can ask for anything. */
export async function startFixture(sandbox: Sandbox): Promise<HttpServer> {
  const script = resolve('test', 'conformance', 'dual-era-http-fixture.mjs');
  const running = new Running([process.execPath, script], { env: sandbox.env, cwd: sandbox.folder });
  const [port] = await running.lines(1);
  return { url: `http://localhost:${port}/mcp`, stop: () => stop(running) };
}

/** Starts a server that speaks only the modern era. */
export async function startModernOnly(sandbox: Sandbox): Promise<HttpServer> {
  const running = new Running([process.execPath, support('modern-only-server.mjs'), '--http'], {
    env: sandbox.env,
    cwd: sandbox.folder,
  });
  const [port] = await running.lines(1);
  return { url: `http://localhost:${port}/mcp`, stop: () => stop(running) };
}

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  await new Promise((settle) => server.close(settle));
  return port;
}

async function stop(running: Running): Promise<void> {
  running.kill('SIGKILL');
  await running.ended;
}
