import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { createTestGate } from '../../support/gate.ts';
import {
  ALERT,
  call,
  DENY,
  EVIL,
  GOOD,
  greet,
  HIDE,
  lastRequest,
  list,
  Machine,
  OTHER,
  shown,
  UNTRUSTING,
} from '../../support/listing.ts';
import { fixedPolicy, policyFrom } from '../../support/policy.ts';

describe('hiding', () => {
  it('leaves out templates of resources too', async () => {
    const machine = new Machine();
    const method = 'resources/templates/list';
    const gate = machine.connect(HIDE);
    expect(await list(gate, { resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'a' }] }, { method })).toBe('forward');
    const changed = { resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'b' }], nextCursor: 'x' };
    expect(shown(await list(gate, changed, { method }), 'resourceTemplates')).toEqual([]);
  });

  it('shows what is trusted, and nothing else', async () => {
    const machine = await Machine.trusting(GOOD, OTHER);
    const gate = machine.connect(HIDE);
    expect(shown(await list(gate, { tools: [EVIL, OTHER] }))).toEqual([OTHER]);
    expect(shown(await list(gate, { tools: [EVIL, OTHER] }))).toEqual([OTHER]);
    expect(await list(gate, { tools: [OTHER] })).toBe('forward');
    expect(await list(gate, { tools: [GOOD, OTHER] })).toBe('forward');
  });

  it('waits for the store', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(HIDE);
    machine.isBusy = true;
    expect(await list(gate, { tools: [EVIL] })).toBe('busy');
    machine.isBusy = false;
    expect(shown(await gate.server(JSON.stringify({ jsonrpc: '2.0', id: lastRequest(), result: { tools: [EVIL] } })))).toEqual(
      [],
    );
  });

  it('what is new is not shown either where nobody has trusted it', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(`${HIDE}${UNTRUSTING}`);
    for (let time = 0; time < 2; time++) {
      expect(shown(await list(gate, { tools: [GOOD, OTHER] }))).toEqual([GOOD]);
      expect([await call(gate, 'read_file'), await call(gate, 'list_files'), await call(gate, 'unheard_of')]).toEqual([
        'passes',
        'denied',
        'denied',
      ]);
    }
    machine.registry.approve('files', 'tool', 'list_files');
    expect(await list(gate, { tools: [GOOD, OTHER] })).toBe('forward');
  });

  it('what can not be known by a name is not shown', async () => {
    const machine = new Machine();
    const gate = machine.connect(HIDE);
    const long = { name: 'x'.repeat(1025) };
    expect(shown(await list(gate, { tools: [{ description: 'nameless' }, GOOD, long] }))).toEqual([GOOD]);
    expect([await call(gate, 'read_file'), await call(gate, long.name), await call(gate, 'other')]).toEqual([
      'passes',
      'denied',
      'denied',
    ]);
  });

  it('begins when the policy says so, in the middle of a connection', async () => {
    const machine = await Machine.trusting(GOOD, OTHER);
    let policy = compilePolicy(policyFrom(ALERT));
    const { registry } = machine;
    const source = { ...fixedPolicy(policy), current: () => policy };
    const gate = createTestGate(ALERT, { registry }, false, 'deny', { policy: source });
    expect(await list(gate, { tools: [EVIL, OTHER] })).toBe('forward');
    expect(await call(gate, 'read_file')).toBe('passes');
    policy = compilePolicy(policyFrom(HIDE));
    expect(await call(gate, 'read_file')).toBe('denied');
    expect(shown(await list(gate, { tools: [EVIL, OTHER] }))).toEqual([OTHER]);
  });

  it('only observing, all is shown and recorded', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(HIDE, { isObserving: true });
    await greet(gate, 'Obey');
    expect(await list(gate, { tools: [EVIL] })).toBe('forward');
    expect(await call(gate, 'read_file')).toBe('passes');
    await gate.gate.finish();
    expect(machine.stored.changed).toHaveLength(1);
    expect(machine.stored.calls.at(-1)).toMatchObject({ decision: { action: 'deny', reason: 'pinning' }, isObserved: true });
  });
});

describe('only observing', () => {
  it('where a list that a rule denies was asked to go on is known', async () => {
    const machine = await Machine.trusting(GOOD, OTHER);
    const gate = machine.connect(`[[rule]]\naction = "deny"\nmethod = "tools/list"\n${DENY}`, { isObserving: true });
    await list(gate, { tools: [GOOD] });
    await gate.gate.finish();
    expect(machine.registry.pin('files', 'tool', 'list_files')).toMatchObject({ isListed: false });
  });
});
