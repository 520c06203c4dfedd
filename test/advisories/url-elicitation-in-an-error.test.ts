import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { detecting, found, ORDER } from '../support/poisoned.ts';

/**
 * An error may ask the user to open a URL (MCP 2025-11-25, URLElicitationRequiredError), with words that the client shows as those of any elicitation.
 * It was looked at as an error alone, so that what `on_sampling` says did not count for it.
 */
const sandbox = useSandbox();

it.each([
  ['on_sampling', 'redact', -32042],
  ['on_sampling', 'deny', -32042],
  ['on_result', 'deny', -32042],
  ['on_sampling', 'deny', -32042.5],
])('%s = "%s" keeps it back, with the code %d', async (key, action, code) => {
  const server = new Declaring(sandbox.current, { policy: detecting(`${key} = "${action}"`) });
  const elicitations = [{ mode: 'url', elicitationId: '1', url: 'https://a.example', message: ORDER }];
  server.declare({ tools: [[tool('t', 'd')]], errors: { t: { code, message: 'm', data: { elicitations } } } });
  await server.start();
  await server.request('tools/call', { name: 't', arguments: {} });
  expect(server.received.join('')).not.toContain('id_rsa');
  await server.stop();
  expect(found(sandbox.current)[0]).toMatchObject({ origin: 'error', action: action === 'deny' ? 'block' : action });
});
