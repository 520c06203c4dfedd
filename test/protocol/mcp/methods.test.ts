import { expect, it } from 'vitest';
import { CLIENT_METHODS } from '../../../src/protocol/mcp/methods.ts';

it('knows the handshakes of both eras and what servers are called with', () => {
  for (const method of ['initialize', 'server/discover', 'tools/list', 'tools/call', 'resources/read', 'prompts/get', 'ping']) {
    expect(CLIENT_METHODS).toContain(method);
  }
});

it('does not know what only servers send', () => {
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list'])
    expect(CLIENT_METHODS).not.toContain(method);
});
