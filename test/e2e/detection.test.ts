// What a server declares is looked at, and what is found there is told, hidden or denied, until a person approves it.
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { approve, CLEAN, detecting, found, listed, ORDER, POISONED, whenFound } from '../support/poisoned.ts';
import { query } from '../support/stored.ts';
import { until } from '../support/until.ts';

const sandbox = useSandbox();

const DENIED = /^clawai denied the tool call "add": its definition contains text that must not reach a model/;

describe('a poisoned definition', () => {
  it('alert: is told and recorded once, kept beside the definition, and called as ever', async () => {
    const { server, names } = await listed(sandbox.current, { policy: detecting() });
    expect(names).toEqual(['read_file', 'add']);
    const events = await whenFound(sandbox.current);
    expect(events.map(({ tool_name: name, action }) => [name, action])).toEqual(events.map(() => ['add', 'alert']));
    expect(events[0]).toMatchObject({
      server_id: 'files',
      kind: 'tool',
      origin: 'definition',
      severity: expect.stringMatching(/^(high|critical)$/) as string,
      detection: {
        field: 'description',
        matches: [{ text: expect.any(String) as string, position: expect.any(Number) as number }],
      },
      inspectors: ['detection'],
    });
    await until('it is told', () => server.stderr.includes('the tool "add" of "files" may mislead a model'));
    expect(server.stderr).not.toContain('"read_file"');
    expect(await server.call('add')).toBe('allowed');
    await server.tools();
    await server.stop();
    const seen = sandbox.current.events().filter(({ type }) => type === 'mcp_tool_seen');
    expect(seen.map(({ tool_name: name, detections, max_severity: worst }) => [name, detections, worst])).toEqual([
      ['read_file', [], null],
      ['add', events.map(({ detection }) => detection), events[0]?.['severity']],
    ]);
    const rows = query(sandbox.current.storeFile, 'SELECT name, severity FROM registry_looks ORDER BY name');
    expect(rows).toEqual([
      { name: 'add', severity: expect.stringMatching(/^(high|critical)$/) as string },
      { name: 'read_file', severity: null },
    ]);
    await server.start();
    await server.tools();
    await server.call('add');
    await server.stop();
    expect(found(sandbox.current)).toHaveLength(events.length);
    const calls = sandbox.current.events().filter(({ type }) => type === 'mcp_tool_called');
    expect(calls[0]).toMatchObject({ inspectors: ['policy', 'flow', 'detection'], detections: expect.any(String) as string });
    const ended = sandbox.current.events().find(({ type }) => type === 'mcp_connection_ended');
    expect(ended).toMatchObject({ detection: { definitions: 2, failed: 0 } });
  });

  it('hide: is out of the list from the first time on, and denied until a person approves it; trust on first use is nobody', async () => {
    const { server, names } = await listed(sandbox.current, { policy: detecting('on_definition = "hide"') });
    expect(names).toEqual(['read_file']);
    expect(await server.call('add')).toMatch(DENIED);
    expect(await server.call('read_file')).toBe('allowed');
    await server.stop();
    expect(found(sandbox.current)[0]).toMatchObject({ tool_name: 'add', action: 'hide' });
    await server.start();
    expect(await server.tools()).toEqual(['read_file']);
    approve(sandbox.current, 'add');
    expect(await server.tools()).toEqual(['read_file', 'add']);
    expect(await server.call('add')).toBe('allowed');
    await server.stop();
  });

  it('deny: is listed, and denied until a person approves it, also before it is listed again', async () => {
    const { server, names } = await listed(sandbox.current, { policy: detecting('on_definition = "deny"') });
    expect(names).toEqual(['read_file', 'add']);
    expect(await server.call('add')).toMatch(DENIED);
    await server.stop();
    expect(found(sandbox.current)[0]).toMatchObject({ tool_name: 'add', action: 'block' });
    await server.start();
    expect(await server.call('add')).toMatch(DENIED);
    approve(sandbox.current, 'add');
    expect(await server.call('add')).toBe('allowed');
    await server.stop();
    expect(server.reached().filter((line) => line.startsWith('tools/call'))).toEqual(['tools/call add']);
  });

  it.each([
    ['hide', 'hide'],
    ['deny', 'block'],
  ])('an order that many definitions have is told once, and keeps each of them back: %s', async (onDefinition, action) => {
    const tools = Array.from({ length: 20 }, (_, i) => tool(`add_${i}`, `Adds ${i}. ${ORDER}`));
    const policy = detecting(`on_definition = "${onDefinition}"`);
    const { server, names } = await listed(sandbox.current, { policy }, [CLEAN, ...tools]);
    expect(names).toHaveLength(onDefinition === 'hide' ? 1 : 21);
    expect(await server.call('add_0')).toMatch(/must not reach a model/);
    expect(await server.call('add_19')).toMatch(/must not reach a model/);
    await server.stop();
    const told = new Set(found(sandbox.current).map(({ tool_name: name }) => name));
    expect(told.size).toBe(20);
    expect(found(sandbox.current).every((event) => event['action'] === action)).toBe(true);
  });

  it('alert: an order that many definitions have is told once', async () => {
    const tools = Array.from({ length: 20 }, (_, i) => tool(`add_${i}`, `Adds ${i}. ${ORDER}`));
    const { server } = await listed(sandbox.current, { policy: detecting() }, [CLEAN, ...tools]);
    await whenFound(sandbox.current);
    await server.stop();
    expect(new Set(found(sandbox.current).map(({ tool_name: name }) => name))).toEqual(new Set(['add_0']));
  });

  it('a rug pull: what was approved counts no more once it is another one', async () => {
    const policy = detecting('on_definition = "hide"\n[pinning]\non_change = "alert"');
    const { server } = await listed(sandbox.current, { policy });
    approve(sandbox.current, 'add');
    expect(await server.tools()).toEqual(['read_file', 'add']);
    server.declare({ tools: [[{ ...CLEAN, description: ORDER }, tool('add', `Adds. ${ORDER}`)]] });
    expect(await server.tools()).toEqual([]);
    expect(await server.call('read_file')).toMatch(/must not reach a model/);
    server.declare({ tools: [[CLEAN, POISONED]] });
    expect(await server.tools()).toEqual(['read_file', 'add']);
    expect(await server.call('read_file')).toBe('allowed');
    await server.stop();
  });

  it('require_approval: a critical one is asked about, and not once a person has approved it', async () => {
    const { server } = await listed(sandbox.current, { policy: detecting('require_approval = true') });
    expect(await server.call('add')).toMatch(/needs a person's approval/);
    expect(await server.call('read_file')).toBe('allowed');
    approve(sandbox.current, 'add');
    expect(await server.call('add')).toBe('allowed');
    await server.stop();
  });

  it('was looked at before: a policy that begins to act does so at once', async () => {
    const { server: before } = await listed(sandbox.current, { policy: detecting() });
    await whenFound(sandbox.current);
    await before.stop();
    const server = new Declaring(sandbox.current, { policy: detecting('on_definition = "deny"') });
    await server.start();
    expect(await server.call('add')).toMatch(DENIED);
    expect(await server.call('read_file')).toBe('allowed');
    await server.stop();
  });

  it('enabled = false: nothing is looked at', async () => {
    const { server } = await listed(sandbox.current, { policy: detecting('enabled = false\non_definition = "hide"') });
    expect(await server.call('add')).toBe('allowed');
    await server.stop();
    expect(found(sandbox.current)).toEqual([]);
    expect(query(sandbox.current.storeFile, 'SELECT * FROM registry_looks')).toEqual([]);
    const seen = sandbox.current.events().filter(({ type }) => type === 'mcp_tool_seen');
    expect(seen.map(({ detections, max_severity: worst }) => [detections, worst])).toEqual(
      seen.map(() => [undefined, undefined]),
    );
    expect(seen).toHaveLength(2);
  });

  it('suppressed: nothing is done or told, and the record says why', async () => {
    const suppressed = '[[detection.suppress]]\nserver = "fil*"\ntool = "add"\nrule = "**"\nreason = "we wrote it ourselves"';
    const { server, names } = await listed(sandbox.current, { policy: detecting(`on_definition = "hide"\n${suppressed}`) });
    expect(names).toEqual(['read_file', 'add']);
    expect(await server.call('add')).toBe('allowed');
    expect(server.stderr).not.toContain('mislead');
    await server.stop();
    expect(found(sandbox.current)[0]).toMatchObject({ action: 'allow', suppressed: 'we wrote it ourselves' });
  });

  it('--observe: is told, and passes', async () => {
    const options = { policy: detecting('on_definition = "hide"'), flags: ['--observe'] };
    const { server, names } = await listed(sandbox.current, options);
    expect(names).toEqual(['read_file', 'add']);
    expect(await server.call('add')).not.toMatch(/clawai/);
    const [first] = await whenFound(sandbox.current);
    expect(first).toMatchObject({ action: 'alert' });
    await server.stop();
  });

  it('on every page, in prompts, resources and templates', async () => {
    const server = new Declaring(sandbox.current, { policy: detecting('on_definition = "hide"') });
    server.declare({
      tools: [[CLEAN], [POISONED, tool('b', 'Subtracts.')]],
      prompts: [[{ name: 'ask', description: ORDER }, { name: 'fine' }]],
      resources: [[{ uri: 'doc://a', name: 'a', description: ORDER }]],
      resourceTemplates: [[{ uriTemplate: 'doc://t/{x}', name: 't', description: ORDER }]],
    });
    await server.start();
    expect(await server.tools()).toEqual(['read_file', 'b']);
    expect((await server.request('prompts/list')).result).toEqual({ prompts: [{ name: 'fine' }] });
    expect((await server.request('resources/list')).result).toEqual({ resources: [] });
    expect((await server.request('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    expect((await server.request('prompts/get', { name: 'ask' })).error?.message).toMatch(/must not reach a model/);
    expect((await server.request('resources/read', { uri: 'doc://a' })).error?.message).toMatch(/must not reach a model/);
    expect((await server.request('resources/read', { uri: 'doc://t/1' })).error?.message).toMatch(/must not reach a model/);
    await server.stop();
  });
});

describe('poisoned instructions', () => {
  const instructing = async (settings: string): Promise<{ server: Declaring; instructions: unknown }> => {
    const server = new Declaring(sandbox.current, { policy: detecting(settings) });
    server.declare({ tools: [[CLEAN]], instructions: ORDER });
    const { result } = await server.start();
    await server.tools();
    return { server, instructions: result?.['instructions'] };
  };

  it('alert: are told', async () => {
    const { server, instructions } = await instructing('');
    expect(instructions).toBe(ORDER);
    await until('it is told', () => server.stderr.includes('the instructions of "files" may mislead a model'));
    expect(await server.call('read_file')).toBe('allowed');
    await server.stop();
  });

  it('hide: do not reach the model, and its tools do', async () => {
    const { server, instructions } = await instructing('on_definition = "hide"');
    expect(instructions).toBe('');
    expect(await server.call('read_file')).toBe('allowed');
    await server.stop();
  });

  it('deny: deny all of the server', async () => {
    const { server } = await instructing('on_definition = "deny"');
    expect(await server.call('read_file')).toMatch(
      /its server's description of itself contains text that must not reach a model/,
    );
    await whenFound(sandbox.current);
    approve(sandbox.current, '', { kind: 'instructions' });
    await until('it is known', async () => (await server.call('read_file')) === 'allowed');
    await server.stop();
  });
});

describe('many', () => {
  it('a list of 500 tools waits, in slices, and only what was found is missing', async () => {
    const many = Array.from({ length: 500 }, (_, index) => tool(`tool_${index}`, index % 100 === 7 ? ORDER : `Does ${index}.`));
    const { server, names } = await listed(sandbox.current, { policy: detecting('on_definition = "hide"') }, many);
    expect(names).toHaveLength(495);
    expect(server.stderr).toContain('2 more definitions of "files" have findings');
    await server.stop();
  });

  it('two processes of one server on one store tell it once', async () => {
    const [a, b] = await Promise.all([
      listed(sandbox.current, { policy: detecting(), server: 'files' }),
      listed(sandbox.current, { policy: detecting(), server: 'files', words: [] }),
    ]);
    await whenFound(sandbox.current);
    await Promise.all([a.server.stop(), b.server.stop()]);
    const rules = found(sandbox.current).map(({ detection }) => JSON.stringify(detection));
    expect(new Set(rules).size).toBe(rules.length);
    const seen = sandbox.current.events().filter(({ type }) => type === 'mcp_tool_seen');
    expect(seen.map(({ tool_name: name, max_severity: worst }) => [name, worst === null])).toEqual([
      ['read_file', true],
      ['add', false],
    ]);
  });
});
