import { expect, it } from 'vitest';
import { allowing, attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * Python's MCP SDK parses a text as JSON where a tool takes a list or an object, since models send them so. Rules saw one text,
 * in which `\u002f` need not even look like a slash.
 */
const sandbox = useSandbox();

it('a deny rule looks into JSON in texts', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.paths = "/etc/**"\n') + denyingOptions(), [
    readFile({ paths: '["\\u002fetc/shadow"]' }, 1),
    readFile({ paths: ' [["x"],["/etc/shadow"]]' }, 2),
    readFile({ options: '{"path":"/etc/shadow"}' }, 3),
    readFile({ paths: '["/usr/x"]', options: '{"path":"/x"}' }, 4),
    readFile({ paths: '[not JSON' }, 5),
  ]);
  expect(reached).toEqual([4, 5]);
});

function denyingOptions(): string {
  return '\n[[rule]]\naction = "deny"\ntool = "**"\nargs.options.path = "/etc/**"\n';
}

it('an allow rule is not satisfied by the text around them', async () => {
  const { current } = sandbox;
  const { reached } = await attempt(current, allowing(`args.paths = "${current.folder}/**"`), [
    readFile({ paths: '["/etc/shadow"]' }, 1),
    readFile({ paths: ['a', '["/etc/shadow"]'] }, 2),
    readFile({ paths: '["a"]' }, 3),
  ]);
  expect(reached).toEqual([3]);
});
