import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';

/**
 * What runs commands under a name that says nothing of it was known by its parameters alone, and what deletes one thing, or by an action, a method or a
 * mutation among others, was a write as any.
 */
const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\nid = "kinds"\naction = "deny"\ntool = "**"\ncategory = ["execute", "destroy"]\n';
const sandbox = useSandbox();

const TOOLS = [
  tool('assistant', 'Runs a one-liner over every host of an inventory group. Be careful.'),
  tool('scratchpad', 'Sends a line to the console of the server.'),
  tool('notes', 'Keeps notes. They may run over many lines of a script.'),
  tool('search_notes', 'Search for commands in notes'),
  ...['issueDelete', 'manage_alert', 'request', 'graphql', 'write_items', 'configure', 'remove_label', 'delete_draft'].map(
    (name) => tool(name, 'Does something with it.'),
  ),
];

it('a call is known for what the first sentence about its tool says, and for what it deletes', async () => {
  const server = new Declaring(sandbox.current, { policy: POLICY });
  server.declare({ tools: [TOOLS] });
  await server.start();
  await server.tools();
  const call = async (name: string, args: object): Promise<string> => {
    const { result } = await server.request('tools/call', { name, arguments: args });
    return result?.['isError'] === true ? `${name} denied` : name;
  };
  const calls = [
    ['assistant', { on: 'web' }],
    ['scratchpad', { x: 'y' }],
    ['issueDelete', { id: '7' }],
    ['manage_alert', { operation: 'delete_all', uid: 'x' }],
    ['request', { method: 'DELETE', path: '/x' }],
    ['graphql', { query: 'mutation { deleteUser(id: 1) { ok } }' }],
    ['write_items', { items: [{ DeleteRequest: { id: 7 } }] }],
    ['configure', { settings: { startCommand: 'x' } }],
    ['notes', { path: 'delete this' }],
    ['search_notes', { query: 'delete_user' }],
    ['manage_alert', { operation: 'mute', uid: 'x' }],
    ['request', { method: 'GET', path: '/delete' }],
    ['remove_label', { label: 'x' }],
    ['delete_draft', { id: '7' }],
  ] as const;
  const answers: string[] = [];
  for (const [name, args] of calls) answers.push(await call(name, args));
  await server.stop();
  const denied = ['assistant', 'scratchpad', 'issueDelete', 'manage_alert', 'request', 'graphql', 'write_items', 'configure'];
  expect(answers).toEqual([
    ...denied.map((name) => `${name} denied`),
    'notes',
    'search_notes',
    'manage_alert',
    'request',
    'remove_label',
    'delete_draft',
  ]);
});
