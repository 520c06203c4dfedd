import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/**
 * Go's encoding/json takes `Method` and even `param\u017f` for the key without case (CVE-2026-27896, GHSA-wvj2-96wp-fq3f), so that a
 * server reads a call where we read another message.
 */
const sandbox = useSandbox();

it('variants of protocol keys are refused', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","Params":{"name":"t","arguments":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":2,"METHOD":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t"},"param\u017f":{"name":"t","arguments":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t","Arguments":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t","argument\\u017f":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":6,"method":"ping"}',
  ]);
  expect(reached).toEqual([6]);
});
