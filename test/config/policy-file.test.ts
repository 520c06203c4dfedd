import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findPolicy, loadPolicy } from '../../src/config/policy-file.ts';
import { ClawaiError } from '../../src/errors.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clawai-policy-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(content: string | Uint8Array): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.toml`);
  await writeFile(file, content);
  return file;
}

async function failure(file: string): Promise<ClawaiError> {
  const error: unknown = await loadPolicy(file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ClawaiError) return error;
  throw new Error(`not refused as it should be: ${String(error)}`);
}

describe('loadPolicy', () => {
  it('reads a policy, with a BOM and with regular expressions', async () => {
    const file = await write('\uFEFF[[rule]]\naction = "deny"\ntool = { regex = "^a" }');
    const policy = await loadPolicy(file);
    expect(policy).toMatchObject({ file, rules: [{ tool: { op: 'regex' } }] });
  });

  it('takes an empty file', async () => {
    expect((await loadPolicy(await write(''))).defaults.action).toBe('deny');
  });

  it('says every fault with its place, in the order of the file', async () => {
    const file = await write(
      '[[rule]]\naction = "dney"\ntool = { regex = "(" }\n\n[[rule]]\naction = "deny"\n  tol = "x"\n\n[[rule]]\naction = "deny"\n',
    );
    const error = await failure(file);
    expect(error.code).toBe('policy_invalid');
    expect(error.message).toBe(`${file}: 4 errors`);
    expect(error.faults).toEqual([
      { place: { file, line: 2, column: 1 }, message: 'unknown action "dney"', hint: 'did you mean "deny"?' },
      { place: { file, line: 3, column: 10 }, message: 'bad regex: error parsing regexp: missing closing ): `(`' },
      { place: { file, line: 7, column: 3 }, message: 'unknown key "tol" in a rule', hint: 'did you mean "tool"?' },
      {
        place: { file, line: 9, column: 1 },
        message: 'a rule needs a tool, resource, prompt or method to match',
        hint: 'tool = "**" matches every tool',
      },
    ]);
  });

  it('says where the syntax is wrong', async () => {
    const file = await write('[[rule]]\naction = "deny\n');
    const error = await failure(file);
    expect([error.code, error.message]).toEqual(['policy_syntax', `${file}: 1 error`]);
    expect(error.faults).toEqual([
      {
        place: { file, line: 2, column: 15 },
        message: 'the closing quote of the text is missing',
        hint: 'write it at the end of the text',
      },
    ]);
  });

  it('refuses what is not UTF-8', async () => {
    expect(await failure(await write(new Uint8Array([0x23, 0xff, 0xfe])))).toMatchObject({
      code: 'policy_syntax',
      faults: [{ message: 'the policy file is not UTF-8 text' }],
    });
  });

  it('tells a missing file, a directory and an unreadable one apart', async () => {
    const missing = join(folder, 'missing.toml');
    expect(await failure(missing)).toMatchObject({
      code: 'policy_not_found',
      place: { file: missing },
      hint: expect.any(String),
    });
    expect(await failure(join(missing, 'x'))).toMatchObject({ code: 'policy_not_found' });
    expect(await failure(folder)).toMatchObject({ code: 'policy_unreadable', message: 'the policy is a directory, not a file' });
  });

  it('says that it may not read a file', async () => {
    const file = await write('');
    await chmod(file, 0);
    // Root reads everything, so as root the check needs another user.
    const { geteuid, seteuid } = process;
    const isRoot = geteuid?.() === 0;
    if (isRoot) await chmod(folder, 0o755);
    if (isRoot) seteuid?.call(process, 65_534);
    try {
      expect(await failure(file)).toMatchObject({
        code: 'policy_unreadable',
        message: 'there is no permission to read the policy file',
      });
    } finally {
      if (isRoot) seteuid?.call(process, 0);
    }
  });
});

describe('findPolicy', () => {
  const posix = { platform: 'linux', home: '/nonexistent' } as const;

  it('takes --policy before $CLAWAI_POLICY before the file of the user', async () => {
    const [flag, variable] = [await write(''), await write('')];
    const file = join(folder, 'xdg', 'clawai', 'policy.toml');
    await mkdir(join(folder, 'xdg', 'clawai'), { recursive: true });
    await writeFile(file, '');
    const env = { CLAWAI_POLICY: variable, XDG_CONFIG_HOME: join(folder, 'xdg') };
    expect(findPolicy({ ...posix, env, flag })).toEqual({ kind: 'file', file: flag, source: '--policy' });
    expect(findPolicy({ ...posix, env })).toEqual({ kind: 'file', file: variable, source: '$CLAWAI_POLICY' });
    expect(findPolicy({ ...posix, env: { ...env, CLAWAI_POLICY: '' } })).toEqual({ kind: 'file', file, source: 'user' });
  });

  it('looks in ~/.config, on Windows in %APPDATA%', async () => {
    const home = join(folder, 'home');
    for (const config of [join(home, '.config'), join(home, 'Roaming')]) {
      const file = join(config, 'clawai', 'policy.toml');
      await mkdir(join(config, 'clawai'), { recursive: true });
      await writeFile(file, '');
    }
    expect(findPolicy({ platform: 'linux', home, env: { XDG_CONFIG_HOME: 'relative' } }).file).toBe(
      join(home, '.config/clawai/policy.toml'),
    );
    const windows = { platform: 'win32', home: '/nonexistent', env: { APPDATA: join(home, 'Roaming') } } as const;
    expect(findPolicy(windows).file).toBe(join(home, 'Roaming/clawai/policy.toml'));
  });

  it('falls back to the shipped default, which is valid', async () => {
    const found = findPolicy({ ...posix, env: {} });
    expect(found).toMatchObject({ kind: 'shipped', missingFile: join('/nonexistent', '.config', 'clawai', 'policy.toml') });
    expect((await loadPolicy(found.file)).rules.length).toBeGreaterThan(0);
  });

  it.each([{ flag: '/nonexistent/p.toml' }, { flag: '' }, { env: { CLAWAI_POLICY: '/nonexistent/p.toml' } }])(
    'does not fall back from %j',
    (named) => {
      expect(() => findPolicy({ ...posix, env: {}, ...named })).toThrow(expect.objectContaining({ code: 'policy_not_found' }));
    },
  );
});
