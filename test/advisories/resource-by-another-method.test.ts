import { expect, it } from 'vitest';
import { attempt, readResource, useSandbox } from '../support/attempt.ts';

/**
 * A rule that denied reading a resource said nothing of the other methods that show what is in it, that it is there, or that it changes: a later
 * `allow` of `method = "**"` let them through, and `skills/get` was asked of no rule at all. Methods that MCP does not have, as `resources/get`, which
 * some servers read resources by, passed whatever they named.
 */
const sandbox = useSandbox();

const DENYING = `
[[rule]]
action = "allow"
method = "resources/subscribe"
resource = "secret://loud"

[[rule]]
action = "deny"
resource = "secret://**"

[[rule]]
action = "deny"
prompt = "secret"

[[rule]]
action = "allow"
method = "**"
`;

const ask = (method: string, id: unknown, params: unknown): unknown => ({ jsonrpc: '2.0', id, method, params });
const complete = (id: unknown, ref: unknown, value: string): unknown =>
  ask('completion/complete', id, { ref, argument: { name: 'path', value } });
const listen = (id: unknown, ...uris: readonly string[]): unknown =>
  ask('subscriptions/listen', id, { notifications: { resourceSubscriptions: uris } });

it('what may not be read is shown by no other method', async () => {
  const { current } = sandbox;
  const { reached, ended } = await attempt(current, DENYING, [
    readResource('secret://a', 1),
    ask('resources/subscribe', 2, { uri: 'secret://a' }),
    ask('resources/directory/read', 3, { uri: 'secret://a' }),
    ask('skills/get', 4, { uri: 'secret://a/SKILL.md' }),
    listen(5, 'open://a', 'secret://a'),
    complete(6, { type: 'ref/resource', uri: 'secret://{path}' }, 'a'),
    complete(7, { type: 'ref/resource', uri: '{+path}' }, 'secret://a'),
    complete(8, { type: 'ref/prompt', name: 'secret' }, 'a'),
    ask('resources/subscribe', 11, { uri: 'secret://loud' }),
    ask('resources/subscribe', 12, { uri: 'open://a' }),
    ask('skills/get', 13, { uri: 'open://a/SKILL.md' }),
    listen(14, 'open://a'),
    complete(15, { type: 'ref/resource', uri: '{+path}' }, 'open://a'),
    complete(16, { type: 'ref/prompt', name: 'open' }, 'a'),
    // What was asked for before the rule came must be possible to end.
    ask('resources/unsubscribe', 17, { uri: 'secret://a' }),
  ]);
  expect(reached).toEqual([11, 12, 13, 14, 15, 16, 17]);
  const answers = ended.stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; error?: { code: number } });
  const denied = answers.filter(({ error }) => error?.code === 40300).map(({ id }) => id);
  expect(denied.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('nor by one that MCP does not have', async () => {
  const methods = ['resources/get', 'resources/templates/read', 'skills/read', 'x/open'];
  const messages = methods.flatMap((method, at) => [
    ask(method, 10 + at, { uri: 'secret://a' }),
    ask(method, 20 + at, { uri: 'open://a' }),
    // Nothing in these is a URI to anybody.
    ask(method, 30 + at, { uri: { of: 'secret://a' }, name: 'a' }),
  ]);
  messages.push(ask('x/open', 40, { URI: 'secret://a' }), ask('x/open', 41, {}), {
    ...(ask('x/open', 0, {}) as object),
    id: 42,
    params: undefined,
  });
  const { reached } = await attempt(sandbox.current, DENYING, messages);
  expect(reached).toEqual([...methods.flatMap((_, at) => [20 + at, 30 + at]), 41, 42]);
});

it('nor is a tool called by one', async () => {
  const policy = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "shell"\nargs.command = "rm **"\n';
  const run = (id: number, params: object): unknown => ask('tools/run', id, params);
  const { reached } = await attempt(sandbox.current, policy, [
    run(1, { name: 'shell', arguments: { command: 'rm -r /' } }),
    run(2, { uri: 'open://a', name: 'shell', arguments: { command: 'rm -r /' } }),
    run(3, { Name: 'shell', arguments: { command: 'rm -r /' } }),
    run(4, { name: 'shell', arguments: { command: 'ls' } }),
    run(5, { name: 'shell' }),
  ]);
  expect(reached).toEqual([4, 5]);
});

it('a method that is denied is so whatever it reads', async () => {
  const policy = '[defaults]\naction = "allow"\nunknown_methods = "deny"\n[[rule]]\naction = "allow"\nresource = "open://**"\n';
  const { reached } = await attempt(sandbox.current, policy, [
    ask('resources/get', 1, { uri: 'open://a' }),
    readResource('open://a', 2),
  ]);
  expect(reached).toEqual([2]);
  // Nothing says that it was read.
  expect(sandbox.current.decided().map(({ method, action }) => [method, action])).toEqual([
    ['resources/get', 'block'],
    ['resources/read', 'allow'],
  ]);
});
