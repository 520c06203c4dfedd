import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonEdit } from '../../src/clients/edit-json.ts';
import { editServers, type EditedServers } from '../../src/wrap/edit-servers.ts';
import { groupConfigs, type ConfigGroup } from '../../src/wrap/files/read-config.ts';
import { readServers } from '../../src/wrap/read-servers.ts';
import { WrapMachine } from '../support/wrap-machine.ts';

const TEXT = '{"mcpServers":{"a":{"command":"a","args":["1"],"env":{"X":"1"}},"b":{"command":"b"}},"theme":1}';

let machine: WrapMachine;
let located: ConfigGroup['located'];
beforeEach(() => {
  machine = new WrapMachine();
  machine.write('.cursor/mcp.json', TEXT);
  const [group] = groupConfigs(machine.located()).groups;
  if (group === undefined) throw new Error('there is one');
  ({ located } = group);
});
afterEach(() => machine.remove());

/** Edits of the server `a`, which is to have this command line afterwards. */
function edit(edits: readonly JsonEdit[], command: string, ...args: readonly string[]): EditedServers {
  const { servers } = readServers(TEXT, located);
  const [server] = servers;
  if (server === undefined) throw new Error('there are two');
  return editServers(TEXT, { located, servers }, [{ server, edits, becomes: { command, args } }]);
}

const command = { path: ['mcpServers', 'a', 'command'], to: { value: 'x' } };

describe('edits are proved before anything is written', () => {
  it('those that do what was planned give the text and the changes', () => {
    expect(edit([command], 'x', '1')).toEqual({
      text: TEXT.replace('"command":"a"', '"command":"x"'),
      changes: [[{ path: command.path, before: '"a"', after: '"x"' }]],
    });
  });

  it('a removed member is one of the changes', () => {
    expect(edit([{ path: ['mcpServers', 'a', 'args'], to: { absent: true } }], 'a').text).toBe(TEXT.replace('"args":["1"],', ''));
  });

  const wrong: [name: string, edits: readonly JsonEdit[], line: [string, ...string[]]][] = [
    ['another command than planned', [command], ['y', '1']],
    ['other arguments than planned', [command], ['x']],
    ['another server too', [command, { path: ['mcpServers', 'b', 'command'], to: { value: 'x' } }], ['x', '1']],
    ['a new server', [command, { path: ['mcpServers', 'c'], to: { value: [] } }], ['x', '1']],
    ['the environment', [command, { path: ['mcpServers', 'a', 'env'], to: { raw: '{}' } }], ['x', '1']],
    ['a server removed', [{ path: ['mcpServers', 'b'], to: { absent: true } }], ['a', '1']],
    ['a place that is not there', [{ path: ['mcpServers', 'z', 'command'], to: { value: 'x' } }], ['x', '1']],
  ];
  it.each(wrong)('%s: nothing is given', (_name, edits, line) => {
    expect(() => edit(edits, ...line)).toThrow(/config/);
  });
});
