import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeLeftovers } from '../../../src/wrap/files/read-config.ts';
import { WrapMachine } from '../../support/wrap-machine.ts';

let machine: WrapMachine;
beforeEach(() => (machine = new WrapMachine()));
afterEach(() => machine.remove());

/** No process has this pid. */
const NOBODY = 2 ** 30;

describe('removeLeftovers', () => {
  it('takes away the temporary files of processes that are gone, beside configs and in our own folder', () => {
    const config = machine.write('.cursor/mcp.json', '{"mcpServers":{}}');
    machine.state.prepare();
    const beside = (name: string, pid: number): string => join(dirname(config), `.${name}.clawai-${pid}-0123456789ab.tmp`);
    const gone = [beside('mcp.json', NOBODY), join(machine.statePath, `.0123.json.clawai-${NOBODY}-0123456789ab.tmp`)];
    const stay = [beside('mcp.json', process.pid), beside('other.json', NOBODY), join(dirname(config), '.mcp.json.clawai.tmp')];
    for (const file of [...gone, ...stay]) writeFileSync(file, 'secret');
    removeLeftovers(machine.located(), machine.state);
    expect([gone.filter(existsSync), stay.filter(existsSync)]).toEqual([[], stay]);
  });

  it('is quiet where there is nothing', () => {
    removeLeftovers(machine.located(), machine.state);
    expect(machine.remembered()).toEqual([]);
  });
});
