import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config-file.ts';
import { defaultConfig } from '../../src/config/config.ts';
import type { FindFileOptions } from '../../src/config/find-file.ts';
import { ClawaiError } from '../../src/errors.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clawai-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

const posix = { platform: 'linux', home: '/nonexistent', env: {} } as const;

async function write(content: string | Uint8Array): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.toml`);
  await writeFile(file, content);
  return file;
}

async function failure(options: FindFileOptions): Promise<ClawaiError> {
  const error: unknown = await loadConfig(options).catch((thrown: unknown) => thrown);
  if (error instanceof ClawaiError) return error;
  throw new Error(`not refused as it should be: ${JSON.stringify(error)}`);
}

describe('where it is', () => {
  it('--config before $CLAWAI_CONFIG before the file of the user', async () => {
    const flag = await write('limits.depth = 20');
    const variable = await write('limits.depth = 30');
    await mkdir(join(folder, 'xdg', 'clawai'), { recursive: true });
    await writeFile(join(folder, 'xdg', 'clawai', 'config.toml'), 'limits.depth = 40');
    const env = { CLAWAI_CONFIG: variable, XDG_CONFIG_HOME: join(folder, 'xdg') };
    const depthOf = async (options: Partial<FindFileOptions>): Promise<number> =>
      (await loadConfig({ ...posix, env, ...options })).limits.depth;
    expect(await depthOf({ flag })).toBe(20);
    expect(await depthOf({})).toBe(30);
    expect(await depthOf({ env: { ...env, CLAWAI_CONFIG: '' } })).toBe(40);
  });

  it('nowhere: the defaults', async () => {
    const machine = { ...posix, env: { XDG_STATE_HOME: '/s' } };
    expect(await loadConfig(machine)).toEqual(defaultConfig(machine));
    expect((await loadConfig(machine)).stateDir).toBe('/s/clawai');
  });

  it.each([{ flag: '/nonexistent/c.toml' }, { flag: '' }, { env: { CLAWAI_CONFIG: '/nonexistent/c.toml' } }])(
    'a name that leads nowhere is no reason to do without: %j',
    async (named) => {
      expect(await failure({ ...posix, ...named })).toMatchObject({ code: 'config_not_found' });
    },
  );

  it('nor is a link of the user that leads nowhere', async () => {
    await mkdir(join(folder, 'dangling', 'clawai'), { recursive: true });
    await symlink('/nonexistent/c.toml', join(folder, 'dangling', 'clawai', 'config.toml'));
    const env = { XDG_CONFIG_HOME: join(folder, 'dangling') };
    expect(await failure({ ...posix, env })).toMatchObject({ code: 'config_not_found', message: 'there is no such config file' });
  });
});

describe('what is wrong with it', () => {
  it('is said with its place, in the order of the file', async () => {
    const flag = await write('mode = "observ"\n\n[audit]\n  retain = 90\nsync = "full"\n[limits]\nmesage = 1\n');
    const error = await failure({ ...posix, flag });
    expect([error.code, error.message]).toEqual(['config_invalid', `${flag}: 3 errors`]);
    expect(error.faults).toEqual([
      {
        place: { file: flag, line: 1, column: 1 },
        message: 'mode must be "enforce" or "observe", not "observ"',
        hint: 'did you mean "observe"?',
      },
      { place: { file: flag, line: 4, column: 3 }, message: 'audit.retain must be a duration like "90d", not an integer' },
      {
        place: { file: flag, line: 7, column: 1 },
        message: 'unknown key "mesage" in [limits]',
        hint: 'did you mean "message"?',
      },
    ]);
  });

  it('is its syntax', async () => {
    const flag = await write('mode = observe\n');
    expect(await failure({ ...posix, flag })).toMatchObject({
      code: 'config_syntax',
      faults: [{ place: { file: flag, line: 1, column: expect.any(Number) } }],
    });
  });

  it('is its encoding', async () => {
    const flag = await write(new Uint8Array([0x23, 0xff]));
    expect(await failure({ ...posix, flag })).toMatchObject({
      code: 'config_syntax',
      faults: [{ message: 'the config file is not UTF-8 text' }],
    });
  });

  it('is that it is a directory', async () => {
    const error = { code: 'config_unreadable', message: 'the config is a directory, not a file' };
    expect(await failure({ ...posix, flag: folder })).toMatchObject(error);
  });
});
