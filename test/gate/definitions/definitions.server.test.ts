import { describe, expect, it } from 'vitest';
import { call, DENY, GOOD, greet, HIDE, list, Machine, shown, UNTRUSTING } from '../../support/listing.ts';
import { MemoryRegistry, NO_IDENTITY } from '../../support/memory-registry.ts';

describe('a server', () => {
  it.each(['initialize', 'server/discover'])('whose instructions changed is not trusted: %s', async (method) => {
    const machine = await Machine.trusting(GOOD);
    const first = machine.connect(DENY);
    expect(await greet(first, 'Be kind', method)).toBe('forward');
    expect(await call(first, 'read_file')).toBe('passes');
    // Within the time for which a server counts as trusted.
    expect(await greet(first, 'Obey', method)).toBe('forward');
    expect(await call(first, 'read_file')).toBe('denied');
    expect(await greet(first, 'Be kind', method)).toBe('forward');
    expect(await call(first, 'read_file')).toBe('passes');
    await first.gate.finish();
    const gate = machine.connect(HIDE);
    expect(shown(await greet(gate, 'Obey', method), 'instructions')).toBe('');
    expect(await call(gate, 'read_file')).toBe('denied');
    expect(await greet(machine.connect(HIDE), 'Be kind', method)).toBe('forward');
    expect(await greet(machine.connect(HIDE), undefined, method)).toBe('forward');
  });

  it('whose instructions nobody has trusted does not give them, where that is needed', async () => {
    const machine = new Machine();
    expect(shown(await greet(machine.connect(`${HIDE}${UNTRUSTING}`), 'Obey'), 'instructions')).toBe('');
    machine.registry.approve('files', 'instructions', '');
    expect(await greet(machine.connect(`${HIDE}${UNTRUSTING}`), 'Obey')).toBe('forward');
  });

  it('that gives no instructions is not distrusted for those that another of its processes gave', async () => {
    const machine = await Machine.trusting(GOOD);
    await greet(machine.connect(HIDE), 'Be kind');
    const other = machine.connect(DENY);
    await greet(other, 'Obey');
    expect(await call(other, 'read_file')).toBe('denied');
    const gate = machine.connect(DENY);
    expect(await call(gate, 'read_file')).toBe('denied');
    await greet(gate, '');
    expect(await call(gate, 'read_file')).toBe('passes');
    await greet(gate, 'Obey', 'server/discover');
    expect(await call(gate, 'read_file')).toBe('denied');
    await greet(gate, undefined, 'server/discover');
    expect(await call(gate, 'read_file')).toBe('denied');
  });

  it('whose instructions can not be compared gives none, unless on_error says otherwise', async () => {
    class Failing extends MemoryRegistry {
      override server(): never {
        throw new Error('the store is broken');
      }
    }
    const machine = new Machine();
    const registry = new Failing();
    expect(shown(await greet(machine.connect(HIDE, { registry }), 'Be kind'), 'instructions')).toBe('');
    expect(await greet(machine.connect(HIDE, { registry, onError: 'allow' }), 'Be kind')).toBe('forward');
    machine.isBusy = true;
    expect(await greet(machine.connect(HIDE), 'Be kind')).toBe('busy');
  });

  it('hazard 12: whose greeting can be read in two ways is refused', async () => {
    const gate = new Machine().connect(DENY);
    for (const result of [
      '{"instructions":"a","instructions":"b"}',
      '{"instructions":"a","Instructions":"b"}',
      '{"instructions":"\\x"}',
    ])
      expect(await list(gate, result, { method: 'initialize' })).toMatchObject({ onward: [{ error: { code: -32603 } }] });
  });

  it('that is started otherwise is not trusted, however the clock goes', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(DENY);
    expect(await call(gate, 'read_file')).toBe('passes');
    machine.identity = { ...NO_IDENTITY, fingerprint: 'sha256:other' };
    const other = machine.connect(DENY);
    expect([await call(other, 'read_file'), await call(other, 'read_file')]).toEqual(['denied', 'denied']);
    expect(machine.stored.serversChanged).toHaveLength(1);
    expect(machine.warnings.join()).toContain('is started differently');
    machine.identity = NO_IDENTITY;
    const again = machine.connect(DENY);
    expect(await call(again, 'read_file')).toBe('passes');
    // Somebody trusts the other one besides.
    machine.registry.writeServer('files', { ...NO_IDENTITY, fingerprint: 'sha256:other' }, { isPinned: true });
    machine.now += 1000;
    expect([await call(again, 'read_file'), await call(other, 'read_file')]).toEqual(['passes', 'passes']);
    machine.identity = { ...NO_IDENTITY, fingerprint: 'sha256:third' };
    const third = machine.connect(DENY);
    expect(await call(third, 'read_file')).toBe('denied');
    machine.now -= 86_400_000;
    expect(await call(third, 'read_file')).toBe('denied');
    machine.now += 2 * 86_400_000;
    expect(await call(third, 'read_file')).toBe('denied');
  });

  it('is trusted at its first use, or never before somebody says so', async () => {
    const machine = new Machine();
    await call(machine.connect(`${DENY}${UNTRUSTING}`), 'read_file');
    expect(machine.registry.server('files')).toMatchObject({ pinned: undefined });
    await call(machine.connect(DENY), 'read_file');
    expect(machine.registry.server('files')).toMatchObject({ pinned: NO_IDENTITY.fingerprint });
  });
});
