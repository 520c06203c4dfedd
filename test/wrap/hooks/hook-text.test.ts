import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOOK_PLACES, type HookList } from '../../../src/clients/hook-places.ts';
import { hookProgram } from '../../../src/wrap/hooks/hook-program.ts';
import { addHook, isOwnCommand, readHook, removeHook } from '../../../src/wrap/hooks/hook-text.ts';

const LAUNCHER = ['/usr/bin/node', "/home/o'neil/clawai/bin/clawai.mjs"];

/** As the person's at the installation. */
const ENV = { HOME: '/home/me', XDG_CONFIG_HOME: "/home/me/my 'config'" };

const LISTS = HOOK_PLACES.flatMap(({ client, form }) => (form.kind === 'list' ? [{ client, form }] : []));

function added(text: string, about: { client: string; form: HookList }, launcher = LAUNCHER): string {
  const result = addHook(text, about, hookProgram(launcher, about.client, ENV));
  if (!result.ok) throw new Error(result.problem.message);
  return result.text;
}

function removed(text: string, about: { client: string; form: HookList }): string {
  const result = removeHook(text, about);
  if (!result.ok) throw new Error(result.problem.message);
  return result.text;
}

const read = (text: string, about: { client: string; form: HookList }): unknown =>
  readHook(text, about, hookProgram(LAUNCHER, about.client, ENV));

const plain = (text: string): unknown => JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));

describe.each(LISTS)('the hook of $client', (about) => {
  const [event = ''] = about.form.events;
  const other = { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint "x"' }] };

  it.each([
    ['an empty object', '{}'],
    ['an empty object on two lines', '{\n}\n'],
    ['other settings', '{\n  "model": "x",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n'],
    ['tabs and CRLF', '{\r\n\t"model": "x"\r\n}\r\n'],
    ['one line', '{"model":"x"}'],
    ['an empty list of hooks', '{\n  "hooks": {}\n}'],
    ['hooks of another event', '{\n  "hooks": {\n    "Stop": []\n  }\n}'],
    ['an empty list of the event', `{"hooks": {"${event}": []}}`],
    ['another hook on one line', `{"hooks": {"${event}": [${JSON.stringify(other)}]}, "a": 1}`],
    ['another hook on lines', JSON.stringify({ hooks: { [event]: [other, other], Stop: [other] }, a: 1 }, undefined, 2)],
    ['a byte order mark', '\uFEFF{\n  "a": 1\n}'],
  ])('is added beside %s, and removed to the byte', (_what, text) => {
    const hooked = added(text, about);
    expect(read(text, about)).toEqual({ ok: true, state: 'none', off: undefined });
    expect(read(hooked, about)).toEqual({ ok: true, state: 'current', off: undefined });
    const before = plain(text.replace('\uFEFF', '')) as { hooks?: Record<string, unknown[]> };
    const entry = JSON.parse(JSON.stringify(about.form.entry(hookProgram(LAUNCHER, about.client, ENV)))) as unknown;
    const lists = Object.fromEntries(about.form.events.map((each) => [each, [...(before.hooks?.[each] ?? []), entry]]));
    expect(plain(hooked.replace('\uFEFF', ''))).toEqual({ ...before, hooks: { ...before.hooks, ...lists } });
    expect(added(hooked, about)).toBe(hooked);
    const without = removed(hooked, about);
    // Empty lists that were there before go with the hook, which changes nothing for the client.
    if (/\[\]|\{\}/.test(text) && text.includes('"hooks"')) expect(removed(without, about)).toBe(without);
    else expect(without).toBe(text);
  });

  it('leaves hooks of others in its own group, and what only looks like its own', () => {
    const entry = JSON.parse(JSON.stringify(about.form.entry(hookProgram(LAUNCHER, about.client, ENV)))) as { hooks?: unknown[] };
    const audit = { type: 'command', command: '/opt/audit' };
    const foreign = { matcher: 'Bash', hooks: [{ type: 'command', command: `mylog clawai && my-hook ${about.client}` }] };
    const mixed = entry.hooks === undefined ? [entry, audit] : [{ ...entry, hooks: [audit, ...entry.hooks, audit] }];
    const left = entry.hooks === undefined ? [audit] : [{ ...entry, hooks: [audit, audit] }];
    const text = JSON.stringify({ hooks: { [event]: [foreign, ...mixed] } }, undefined, 2);
    const renewed = JSON.parse(added(text, about)) as { hooks: Record<string, unknown[]> };
    expect(renewed.hooks[event]).toEqual(entry.hooks === undefined ? [foreign, ...mixed] : [foreign, ...left, entry]);
    expect(JSON.parse(removed(text, about))).toEqual({ hooks: { [event]: [foreign, ...left] } });
  });

  it('replaces that of another clawai, and leaves the order of the others', () => {
    const own = about.form.entry(hookProgram(['/old/clawai'], about.client, ENV));
    const text = JSON.stringify({ hooks: { [event]: [other, own, other, own] } }, undefined, 2);
    expect(read(text, about)).toMatchObject({ ok: true, state: 'other' });
    const { hooks } = JSON.parse(added(text, about)) as { hooks: Record<string, unknown[]> };
    expect(hooks[event]).toEqual(
      [other, other, about.form.entry(hookProgram(LAUNCHER, about.client, ENV))].map((each) => JSON.parse(JSON.stringify(each))),
    );
    expect(JSON.parse(removed(text, about))).toEqual({ hooks: { [event]: [other, other] } });
  });

  it.each([
    ['a list', '[]', 'the file holds no object'],
    ['broken JSON', '{"a": }', undefined],
    ['a key twice', '{"hooks": {}, "hooks": {}}', 'the key "hooks" appears twice'],
    ['hooks of another kind', '{"hooks": []}', 'hooks is no object'],
    ['an event of another kind', `{"hooks": {"${event}": {}}}`, `hooks.${event} is no list`],
  ])('is not added to %s', (_what, text, message) => {
    for (const result of [
      addHook(text, about, hookProgram(LAUNCHER, about.client, ENV)),
      removeHook(text, about),
      read(text, about),
    ])
      expect(result).toMatchObject({ ok: false, problem: { line: 1, ...(message !== undefined && { message }) } });
  });

  it('is told from that of another client', () => {
    const [stranger] = LISTS.filter(({ client }) => client !== about.client);
    const entry = about.form.entry(hookProgram(LAUNCHER, stranger?.client ?? '', ENV));
    expect(read(JSON.stringify({ hooks: { [event]: [entry] } }), about)).toMatchObject({ state: 'none' });
  });
});

it('a hook is off where the settings say so', () => {
  const [claude] = LISTS.filter(({ client }) => client === 'claude-code');
  const [gemini] = LISTS.filter(({ client }) => client === 'gemini-cli');
  if (claude === undefined || gemini === undefined) throw new Error('no such client');
  expect(read('{"disableAllHooks": true}', claude)).toMatchObject({ off: 'disableAllHooks' });
  expect(read('{"disableAllHooks": false}', claude)).toMatchObject({ off: undefined });
  expect(read('{"hooksConfig": {"enabled": false}}', gemini)).toMatchObject({ off: 'hooksConfig.enabled' });
  expect(read('{"hooksConfig": {"disabled": ["x", "clawai"]}}', gemini)).toMatchObject({ off: 'hooksConfig.disabled' });
  expect(read('{"hooksConfig": {"disabled": ["x"]}}', gemini)).toMatchObject({ off: undefined });
});

it('whatever the settings are, a hook is added and removed again', () => {
  const json = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const indent = fc.constantFrom(undefined, 1, 2, 4, '\t');
  fc.assert(
    fc.property(json, indent, fc.constantFrom(...LISTS), (value, space, about) => {
      delete value['hooks'];
      const text = JSON.stringify(value, undefined, space);
      const hooked = added(text, about);
      const { hooks, ...rest } = JSON.parse(hooked) as Record<string, unknown>;
      expect(rest).toEqual(JSON.parse(text));
      expect(Object.keys(hooks as object)).toEqual(about.form.events);
      expect(removed(hooked, about)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

it('a command is ours by its program and its client', () => {
  for (const [text, isOwn] of [
    [hookProgram(LAUNCHER, 'codex', ENV).start, true],
    [hookProgram(['clawai'], 'codex', ENV).start, true],
    ['npx -y clawai@1.2.3 hook codex', true],
    ["'/x y/clawai' 'hook' 'codex'", true],
    ['clawai hook codex2', false],
    ['clawai hook claude-code', false],
    ['myclawaix hook codex', false],
    ['mylog clawai && my-hook codex', false],
    ['mylog clawai; x hook codex', false],
    ['clawai audit | my hook codex', false],
    ['other hook codex', false],
  ] as const)
    expect([text, isOwnCommand(text, 'codex')]).toEqual([text, isOwn]);
});
