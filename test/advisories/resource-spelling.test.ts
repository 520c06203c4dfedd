import { expect, it } from 'vitest';
import { attempt, readResource, useSandbox } from '../support/attempt.ts';

/**
 * Servers built on the TypeScript SDK look a resource up by `new URL(uri).toString()`, which lowers the scheme's case and drops
 * white space. A rule compared the URI as sent, so `DEMO://secret` was not the denied `demo://secret`, but got it.
 */
const sandbox = useSandbox();

const DENY = '[defaults]\naction = "allow"\n\n[[rule]]\naction = "deny"\nresource = "demo://secret/**"\n';

it('every spelling of a URI is that URI', async () => {
  const { reached } = await attempt(sandbox.current, DENY, [
    readResource('demo://secret/a', 1),
    readResource('DEMO://secret/a', 2),
    readResource(' demo://secret/a', 3),
    readResource('de\tmo://secret/a', 4),
    readResource('demo://secret/x/%2e%2e/a\n', 5),
    readResource('demo://public/a', 6),
  ]);
  expect(reached).toEqual([6]);
});
