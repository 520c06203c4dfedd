import { describe, expect, it } from 'vitest';
import { useLoginScene } from '../support/login-scene.ts';
import { callOf, post, said } from '../support/post.ts';

/**
 * Session hijacking (MCP, "Security Best Practices"): with a managed login, the server takes all clients for one user, so that a session's id alone
 * lets one client into the session of another. Each address takes only sessions that began there.
 */
const scene = useLoginScene();

const GREETING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('a session of one address', () => {
  it('is none of another, whatever the method', async () => {
    const { world } = scene.current;
    const serving = await scene.current.serve({ guarded: world.url, again: world.url });
    await scene.current.logIn();
    const begun = await post(serving.url('guarded'), GREETING);
    const session = begun.headers.get('mcp-session-id') ?? '';
    expect(session).not.toBe('');
    const headers = { 'mcp-session-id': session };
    expect(said(await post(serving.url('guarded'), callOf(2, {}, 'read_file'), headers))).toBe('did read_file');
    const before = world.arrived.filter((one) => one.headers['mcp-session-id'] === session).length;
    expect((await post(serving.url('again'), callOf(2, {}, 'read_file'), headers)).status).toBe(404);
    for (const method of ['GET', 'DELETE']) expect((await fetch(serving.url('again'), { method, headers })).status).toBe(404);
    expect(world.arrived.filter((one) => one.headers['mcp-session-id'] === session)).toHaveLength(before);
  });
});
