import { describe, expect, it } from 'vitest';
import { createTestGate, settled, toolCall } from '../../support/gate.ts';
import {
  ALERT,
  ALLOW,
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
} from '../../support/listing.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';

/** Nobody else has to know of a list before it goes on. */
const ALONE = `${DENY}[flow]\nenabled = false\n`;

describe('a list', () => {
  it('hazard 37: what changed stays denied, however often it is listed and whoever connects', async () => {
    const machine = await Machine.trusting(GOOD, OTHER);
    for (let connection = 0; connection < 2; connection++) {
      const gate = machine.connect(DENY);
      for (let time = 0; time < 3; time++) {
        expect(await list(gate, { tools: [EVIL, OTHER] })).toBe('forward');
        expect([await call(gate, 'read_file'), await call(gate, 'list_files')]).toEqual(['denied', 'passes']);
      }
      await gate.gate.finish();
    }
    const gate = machine.connect(DENY);
    expect(await call(gate, 'read_file')).toBe('denied');
    await list(gate, { tools: [GOOD, OTHER] });
    expect(await call(gate, 'read_file')).toBe('passes');
    expect(machine.stored.changed).toHaveLength(6);
  });

  it('is compared before a call is decided that comes right behind it, in the same chunk', async () => {
    const machine = await Machine.trusting(GOOD);
    const { gate } = machine.connect(DENY);
    const asked = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    gate.fromClient(asked, 0, asked.length);
    const answer = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [EVIL] } }));
    expect(gate.fromServer(answer, 0, answer.length)).toMatchObject({ kind: 'forward' });
    answer.fill(0x20);
    const calling = Buffer.from(toolCall('read_file'));
    expect(await settled(gate, gate.fromClient(calling, 0, calling.length))).toMatchObject({ kind: 'reply' });
  });

  it('is recorded although the connection ends right after it', async () => {
    const machine = new Machine();
    const gate = machine.connect(ALONE);
    await list(gate, { tools: [GOOD, OTHER] });
    expect(machine.stored.seen).toEqual([]);
    await gate.gate.finish();
    expect(machine.stored.seen.map(({ name, status }) => [name, status])).toEqual([
      ['read_file', 'new'],
      ['list_files', 'new'],
    ]);
  });

  it('that could not be recorded before the end is told of', async () => {
    const machine = new Machine();
    const gate = machine.connect(ALONE);
    machine.isBusy = true;
    await list(gate, { tools: [GOOD] });
    await gate.gate.finish();
    expect(machine.warnings).toContain('could not record what the server listed last');
    machine.isBusy = false;
    const other = machine.connect(ALONE);
    await list(other, { tools: [GOOD] });
    machine.warnings.length = 0;
    await other.gate.finish();
    expect(machine.warnings).toEqual([]);
  });

  it('goes on while the store is taken; a call waits until it is compared', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(ALONE);
    machine.isBusy = true;
    expect(await list(gate, { tools: [EVIL] })).toBe('forward');
    expect(await gate.client(toolCall('read_file'))).toBe('busy');
    machine.isBusy = false;
    expect(await gate.client(toolCall('read_file'))).toMatchObject({ id: 1 });
    await gate.gate.finish();
  });

  it('hazard 55: is on record before it goes on, where calls of other servers may ask whose a name is', async () => {
    const machine = new Machine();
    const gate = machine.connect(DENY);
    machine.isBusy = true;
    const answer = { tools: [GOOD, OTHER] };
    const id = lastRequest() + 1;
    expect(await list(gate, answer)).toBe('busy');
    machine.isBusy = false;
    expect(await gate.server(JSON.stringify({ jsonrpc: '2.0', id, result: answer }))).toBe('forward');
    expect(machine.registry.pins('files', 'tool').size).toBe(2);
    // The same again tells nobody anything.
    machine.isBusy = true;
    expect(await list(gate, answer)).toBe('forward');
    machine.isBusy = false;
    await gate.gate.finish();
    expect(machine.stored.seen).toHaveLength(2);
  });

  it('waits itself where many do already, and gets through at last', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(ALONE);
    machine.isBusy = true;
    for (let page = 0; page < 64; page++)
      expect(await list(gate, { tools: [OTHER] }, { params: { cursor: `${page}` } })).toBe('forward');
    const id = lastRequest() + 1;
    expect(await list(gate, { tools: [EVIL] })).toBe('busy');
    machine.isBusy = false;
    expect(await gate.server(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [EVIL] } }))).toBe('forward');
    expect(await call(gate, 'read_file')).toBe('denied');
    await gate.gate.finish();
  });

  it('where a commit fails, nothing is half noted: it is compared again', async () => {
    const machine = await Machine.trusting(GOOD);
    const before = machine.stored.changed.length;
    const gate = machine.connect(DENY);
    machine.isCommitFailing = true;
    await greet(gate, 'Obey');
    await list(gate, { tools: [EVIL, OTHER] });
    expect([await call(gate, 'read_file'), await call(gate, 'list_files')]).toEqual(['denied', 'denied']);
    expect(machine.registry.pin('files', 'tool', 'list_files')).toBeUndefined();
    machine.isCommitFailing = false;
    expect([await call(gate, 'read_file'), await call(gate, 'list_files')]).toEqual(['denied', 'passes']);
    await gate.gate.finish();
    expect(machine.stored.changed).toHaveLength(before + 1);
    expect(machine.registry.pin('files', 'tool', 'list_files')).toMatchObject({ isListed: true });
    expect(machine.registry.pin('files', 'instructions', '')).toMatchObject({ isListed: true });
  });

  it.each(['write', 'pin', 'pins', 'page', 'writePage', 'server', 'lookAlikes'] as const)(
    'where the registry fails in `%s`, calls are denied, or pass as on_error says',
    async (method) => {
      class Failing extends MemoryRegistry {}
      for (const onError of ['deny', 'allow'] as const) {
        const registry = new Failing();
        Object.defineProperty(registry, method, {
          value: () => {
            throw new Error('the store is broken');
          },
        });
        const machine = new Machine();
        const gate = machine.connect(DENY, { onError, registry });
        expect(await list(gate, { tools: [GOOD] })).toBe('forward');
        expect(await call(gate, 'read_file')).toBe(onError === 'deny' ? 'denied' : 'passes');
        const hiding = machine.connect(HIDE, { onError, registry });
        const isRefused = typeof (await list(hiding, { tools: [GOOD] })) === 'object';
        // A whole list is held against all that is known at once.
        expect(isRefused).toBe(onError === 'deny' && method !== 'pin');
        await hiding.gate.finish();
        await gate.gate.finish();
      }
    },
  );

  it('that is answered with an error, or was cancelled, says nothing', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(HIDE);
    await gate.client('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect(await gate.server('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}')).toBe('forward');
    await gate.client('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    await gate.client('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    expect(await gate.server(JSON.stringify({ jsonrpc: '2.0', id: 2, result: { tools: [EVIL] } }))).toBe('drop');
    expect(await call(gate, 'read_file')).toBe('passes');
  });

  it('about which somebody was asked first is known by its cursor', async () => {
    const machine = await Machine.trusting(GOOD, OTHER);
    const { registry } = machine;
    const toml = `${DENY}[[rule]]\naction = "prompt"\nmethod = "tools/list"\n`;
    const gate = createTestGate(toml, { registry, approver: { ask: () => Promise.resolve('granted') } });
    expect(await list(gate, { tools: [GOOD] }, { params: { cursor: 'x' } })).toBe('forward');
    await gate.gate.finish();
    // A second page that lacks a tool is not a whole list that lacks it.
    expect(registry.pin('files', 'tool', 'list_files')).toMatchObject({ isListed: true });
  });

  it('in a batch is compared too, and what is hidden is left out of the one answer', async () => {
    const machine = await Machine.trusting(GOOD, OTHER);
    for (const [toml, expected] of [
      [DENY, [EVIL, OTHER]],
      [HIDE, [OTHER]],
    ] as const) {
      const gate = machine.connect(toml);
      const protocolVersion = '2025-03-26';
      await gate.client(JSON.stringify({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion } }));
      await gate.server(JSON.stringify({ jsonrpc: '2.0', id: 'i', result: { protocolVersion } }));
      await gate.client('[{"jsonrpc":"2.0","id":"l","method":"tools/list"},{"jsonrpc":"2.0","id":"p","method":"ping"}]');
      const answers = [
        { jsonrpc: '2.0', id: 'l', result: { tools: [EVIL, OTHER] } },
        { jsonrpc: '2.0', id: 'p', result: {} },
      ];
      const verdict = (await gate.server(JSON.stringify(answers))) as { onward: [{ id: string; result: { tools: unknown } }[]] };
      expect(verdict.onward[0].find(({ id }) => id === 'l')?.result.tools).toEqual(expected);
      expect(await call(gate, 'read_file')).toBe('denied');
      await gate.gate.finish();
    }
  });

  it('in a batch waits for nobody where many wait already: none of them is lost', async () => {
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(DENY);
    await list(gate, { protocolVersion: '2025-03-26' }, { method: 'initialize' });
    const ids = Array.from({ length: 100 }, (_, index) => `l${index}`);
    const lists = ids.map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: { cursor: id } }));
    await gate.client(JSON.stringify(lists));
    const answers = ids.map((id) => ({ jsonrpc: '2.0', id, result: { tools: id === 'l99' ? [EVIL] : [{ name: id }] } }));
    const verdict = (await gate.server(JSON.stringify(answers))) as { onward: [{ id: string }[]] };
    expect(verdict.onward[0].map(({ id }) => id)).toEqual(ids);
    expect([await call(gate, 'read_file'), await call(gate, 'l98')]).toEqual(['denied', 'passes']);
    await gate.gate.finish();
    expect(machine.stored.seen).toHaveLength(101);
  });

  it('that changes while a person is asked about a call is asked about once more', async () => {
    const machine = await Machine.trusting(GOOD);
    const asked: (string | undefined)[] = [];
    const answers: ((approval: 'granted') => void)[] = [];
    const gate = createTestGate(`${ALLOW}on_change = "prompt"\n`, {
      registry: machine.registry,
      approver: {
        ask: (_call, { distrust }) => {
          asked.push(distrust?.fingerprint);
          return new Promise((resolve) => answers.push(resolve));
        },
      },
    });
    await list(gate, { tools: [EVIL] });
    const verdict = gate.client(toolCall('read_file'));
    await list(gate, { tools: [{ ...EVIL, description: 'Something else again' }] });
    answers[0]?.('granted');
    await expect.poll(() => asked.length).toBe(2);
    expect(new Set(asked).size).toBe(2);
    answers[1]?.('granted');
    expect(await verdict).toBe('forward');
  });

  it.each([
    ['{"tools":[{"name":"read_file"}],"tools":[{"name":"read_file","x":1}]}', 'the key "tools" occurs twice'],
    ['{"tools":[],"Tools":[{"name":"read_file"}]}', 'the key "Tools" is a variant of a protocol key'],
    ['{"tools":[{"name":"a","Name":"read_file"}]}', 'the key "Name" is a variant of a protocol key'],
  ])('hazard 12: that can be read in two ways is refused: %s', async (result, problem) => {
    for (const toml of [DENY, HIDE, ALERT]) {
      const machine = await Machine.trusting(GOOD);
      const gate = machine.connect(toml);
      const verdict = (await list(gate, result)) as { onward: [{ error: { message: string } }] };
      expect(verdict.onward[0].error.message).toContain(problem);
      const observer = machine.connect(toml, { isObserving: true });
      expect(await list(observer, result)).toBe('forward');
      await observer.gate.finish();
      await gate.gate.finish();
      expect(machine.stored.refusals.map((refusal) => [refusal.problem, refusal.isObserved])).toEqual([
        [problem, true],
        [problem, false],
      ]);
    }
  });

  it('hazard 12: of which strict parsers read nothing, lenient ones may read anything', async () => {
    const broken = '{"tools":[{"name":"read_file","description":"\\x"}]}';
    const machine = await Machine.trusting(GOOD);
    const gate = machine.connect(DENY);
    expect(await call(gate, 'read_file')).toBe('passes');
    expect(await list(gate, broken)).toBe('forward');
    expect(await call(gate, 'read_file')).toBe('denied');
    await list(gate, { tools: [GOOD] });
    expect(await call(gate, 'read_file')).toBe('passes');
    expect(await list(machine.connect(HIDE), broken)).toMatchObject({ onward: [{ error: { code: -32603 } }] });
  });

  it.each([
    ['resources/list', 'resources', { uri: 'file:///a' }, { method: 'resources/read', params: { uri: 'file:///a' } }],
    ['prompts/list', 'prompts', { name: 'greet' }, { method: 'prompts/get', params: { name: 'greet' } }],
  ])('%s: what changed is not passed on', async (method, member, definition, request) => {
    const machine = new Machine();
    const first = machine.connect(DENY);
    await list(first, { [member]: [definition] }, { method });
    expect(await first.client(JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }))).toBe('forward');
    await first.gate.finish();
    const gate = machine.connect(HIDE);
    const changed = await list(
      gate,
      { [member]: [{ ...definition, description: 'other' }, definition, { name: 'b', uri: 'b:' }] },
      { method },
    );
    expect(shown(changed, member)).toEqual([{ name: 'b', uri: 'b:' }]);
    expect(await gate.client(JSON.stringify({ jsonrpc: '2.0', id: 2, ...request }))).toMatchObject({ error: { code: 40300 } });
  });
});
