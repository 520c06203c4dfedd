import { afterAll, beforeAll } from 'vitest';
import { Sandbox } from './sandbox.ts';
import { ScriptedServer } from './scripted-server.ts';
import { Serving, type ServingOptions } from './serving.ts';

/** `clawai serve` of the real binary in front of one scripted server. */
interface Scripted {
  readonly sandbox: Sandbox;
  readonly server: ScriptedServer;
  readonly serving: Serving;
  /** The server's, through clawai. */
  readonly url: string;
}

/** One for all tests of a file, there from the first of them until the last; to be called at its top. */
export function useScripted(options: Omit<ServingOptions, 'servers'>): { readonly current: Scripted } {
  const holder = { current: undefined as unknown as Scripted };
  beforeAll(async () => {
    const sandbox = new Sandbox();
    const server = await ScriptedServer.start();
    const serving = await Serving.start(sandbox, { ...options, servers: { s: server.url } });
    holder.current = { sandbox, server, serving, url: serving.url('s') };
  });
  afterAll(async () => {
    const { sandbox, server, serving } = holder.current;
    await serving.stop();
    await server.stop();
    sandbox.remove();
  });
  return holder;
}
