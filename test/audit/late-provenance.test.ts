import { describe, expect, it } from 'vitest';
import { LateProvenance } from '../../src/audit/late-provenance.ts';
import type { Provenance } from '../../src/gate/session-port.ts';
import { drain } from '../support/drain.ts';

describe('LateProvenance', () => {
  it('is the one that there is', () => {
    const asked: unknown[] = [];
    const there: Provenance = {
      noteSaid: (...words) => void asked.push(['said', ...words]),
      *read(texts) {
        yield undefined;
        return { hashes: new Uint8Array([texts.length]), isCut: true, hasBinary: false };
      },
      add: (values) => void asked.push(['add', values.n]),
      clear: () => void asked.push(['clear']),
      find: (_, server) => [{ source: server, encoding: 'plain', description: 'a line' }],
    };
    const late = new LateProvenance(() => there);
    late.noteSaid({ a: 1 }, 5);
    late.add({ n: 3, source: 's', server: 'x', time: 1, hashes: new Uint8Array() });
    late.clear();
    expect(asked).toEqual([['said', { a: 1 }, 5], ['add', 3], ['clear']]);
    expect(drain(late.read(['a', 'b']))).toEqual({ hashes: new Uint8Array([2]), isCut: true, hasBinary: false });
    expect(late.find({}, 'here')).toEqual([{ source: 'here', encoding: 'plain', description: 'a line' }]);
  });

  it('fails where there is none yet', () => {
    const late = new LateProvenance(() => {
      throw new Error('not yet');
    });
    expect(() => late.read([])).toThrow('not yet');
  });
});
