import { describe, expect, it } from 'vitest';
import { LateRegistry } from '../../src/audit/late-stores.ts';
import type { Registry } from '../../src/gate/ports/registry-port.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { launched, sighted } from '../support/registered.ts';

describe('LateRegistry', () => {
  it('is the registry that there is', () => {
    const there = new MemoryRegistry();
    const late: Registry = new LateRegistry((work) => work(there));
    late.write('files', [sighted('read', 'a', { isPinned: true })], 1);
    late.writeServer('files', launched('npx'), { isPinned: true, now: 1 });
    late.writePage('files', 'tool', '2', 'digest', 1);
    expect(late.pin('files', 'tool', 'read')).toEqual(there.pin('files', 'tool', 'read'));
    expect(late.pins('files', 'tool').size).toBe(1);
    expect([late.text('files', 'tool', 'read', 'pinned'), late.text('files', 'tool', 'read', 'seen')]).toEqual([
      sighted('read', 'a').seen?.text,
      sighted('read', 'a').seen?.text,
    ]);
    expect([late.server('files')?.pinned, late.serverText('files', 'seen')]).toEqual([
      launched('npx').fingerprint,
      launched('npx').text,
    ]);
    expect([late.page('files', 'tool', '2'), late.page('files', 'prompt', '2')]).toEqual(['digest', undefined]);
    expect([...late.lookAlikes('other', ['READ']).keys()]).toEqual(['READ']);
  });

  it('fails where there is none yet', () => {
    const late = new LateRegistry(() => {
      throw new Error('not yet');
    });
    expect(() => late.pin('files', 'tool', 'read')).toThrow('not yet');
  });
});
