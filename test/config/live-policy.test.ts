import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LivePolicy } from '../../src/config/live-policy.ts';
import { findPolicy } from '../../src/config/policy-file.ts';
import { hasPolicyMark } from '../../src/config/policy-mark.ts';
import { loadStartPolicy } from '../../src/config/start-policy.ts';
import type { PolicyChange } from '../../src/core/policy/types.ts';

const ALLOW = '[defaults]\naction = "allow"\n';
const DENY = '[defaults]\naction = "deny"\n';

let folder = '';
let home = '';
let config = '';
let state = '';
let usual = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-live-')));
  home = join(folder, 'home');
  config = join(folder, 'config');
  state = join(folder, 'state', 'clawai');
  usual = join(config, 'clawai', 'policy.toml');
  mkdirSync(join(config, 'clawai'), { recursive: true });
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A policy that is followed, and the clock that it goes by; files count as written long ago. */
interface Followed {
  readonly live: LivePolicy;
  readonly said: string[];
  readonly changes: PolicyChange[];
  /** Lets so many milliseconds go by and looks, until it is known what decides. */
  after(milliseconds: number): Promise<'allow' | 'deny' | 'prompt' | 'gone'>;
  /** The same, one look. */
  look(milliseconds: number): boolean;
}

async function follow(flag?: string, cwd = home): Promise<Followed> {
  const machine = { env: { XDG_CONFIG_HOME: config }, platform: 'linux', home } as const;
  const found = findPolicy({ flag, ...machine });
  const place = { cwd, home };
  const start = await loadStartPolicy({ found, stateDir: state, place });
  const said: string[] = [];
  const changes: PolicyChange[] = [];
  let elapsed = 0;
  const clock = () => ({ elapsed, now: Date.now() + 60_000 });
  const live = new LivePolicy({ start, stateDir: state, place, warn: (line) => said.push(line), clock });
  // The first look is due.
  elapsed = 1000;
  const look = (milliseconds: number): boolean => {
    elapsed += milliseconds;
    return live.refresh();
  };
  const after: Followed['after'] = async (milliseconds) => {
    for (let isKnown = look(milliseconds); !isKnown; isKnown = look(5)) await new Promise((resolve) => setImmediate(resolve));
    changes.push(...live.takeChanges());
    const { isGone, policy } = live.current();
    return isGone ? 'gone' : policy.defaults.action;
  };
  return { live, said, changes, after, look };
}

describe('LivePolicy', () => {
  it('follows the file, a quarter of a second late at most', async () => {
    writeFileSync(usual, ALLOW);
    const { live, look, after, changes, said } = await follow();
    expect(await after(0)).toBe('allow');
    const before = live.current();
    writeFileSync(usual, DENY);
    expect(look(249)).toBe(true);
    expect(live.current()).toBe(before);
    expect(await after(1)).toBe('deny');
    expect(changes).toEqual([{ status: 'loaded', source: 'user', file: usual, problem: undefined, hash: live.current().hash }]);
    expect(live.current().hash).not.toBe(before.hash);
    expect(said).toEqual([expect.stringContaining('has changed and now applies')]);
  });

  it('is the same value until it changes, also where the file is touched or moved about', async () => {
    writeFileSync(usual, ALLOW);
    const { live, after, changes } = await follow();
    const before = live.current();
    utimesSync(usual, 1, 1);
    await after(300);
    writeFileSync(`${usual}.new`, ALLOW);
    renameSync(`${usual}.new`, usual);
    await after(300);
    expect(live.current()).toBe(before);
    expect(changes).toEqual([]);
  });

  it('holds back what is to be decided while the file is being written', async () => {
    writeFileSync(usual, ALLOW);
    const machine = { env: { XDG_CONFIG_HOME: config }, platform: 'linux', home } as const;
    const place = { cwd: home, home };
    const start = await loadStartPolicy({ found: findPolicy(machine), stateDir: state, place });
    const live = new LivePolicy({ start, stateDir: state, place, warn: () => {} });
    // No clock of the test's here: the disk's is what counts.
    await new Promise((resolve) => setTimeout(resolve, 250));
    writeFileSync(usual, '[[rule]]\naction = "deny"\ntool = "**"');
    expect(live.refresh()).toBe(false);
    const begun = performance.now();
    while (!live.refresh()) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(performance.now() - begun).toBeGreaterThan(20);
    expect(live.current().rules).toHaveLength(1);
  });

  it.each<[string, (file: string) => void, RegExp]>([
    ['not TOML', (file) => writeFileSync(file, '[[rule\naction'), /policy\.toml:1:7: /],
    [
      'no policy',
      (file) => writeFileSync(file, '\n[[rule]]\naction = "dney"\ntool = "t"\n'),
      /policy\.toml:3:1: unknown action "dney"/,
    ],
    ['half of one', (file) => writeFileSync(file, '[[rule]]\naction = "de'), /policy\.toml:2:/],
    ['empty', (file) => writeFileSync(file, '\uFEFF \r\n'), /policy\.toml: it is empty/],
    ['not text', (file) => writeFileSync(file, Buffer.from([0x23, 0xff])), /policy\.toml: the policy file is not UTF-8 text/],
    [
      'a directory',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      /policy\.toml: the policy is a directory/,
    ],
    [
      'a pipe',
      (file) => {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
      /policy\.toml: the policy is a pipe or a device/,
    ],
    [
      'a link that leads nowhere',
      (file) => {
        rmSync(file);
        symlinkSync('/no/such/policy', file);
      },
      /policy\.toml: there is no such policy file/,
    ],
    [
      'a link to itself',
      (file) => {
        rmSync(file);
        symlinkSync(file, file);
      },
      /policy\.toml: the policy file cannot be read: ELOOP/,
    ],
  ])('hazard 11: keeps the last good policy where the file is %s, and says so once', async (_, spoil, problem) => {
    writeFileSync(usual, ALLOW);
    const { live, after, changes, said } = await follow();
    const before = live.current();
    spoil(usual);
    for (let looks = 0; looks < 4; looks++) expect(await after(300)).toBe('allow');
    expect(live.current().hash).toBe(before.hash);
    expect(changes).toEqual([
      { status: 'kept', source: 'user', file: usual, problem: expect.stringMatching(problem), hash: before.hash },
    ]);
    expect(said).toEqual([expect.stringMatching(problem)]);
    rmSync(usual, { recursive: true });
    writeFileSync(usual, DENY);
    expect(await after(300)).toBe('deny');
    expect(changes).toHaveLength(2);
  });

  it('follows a link that leads elsewhere by and by', async () => {
    for (const [name, text] of Object.entries({ a: ALLOW, b: DENY })) writeFileSync(join(folder, name), text);
    symlinkSync(join(folder, 'a'), usual);
    const { after } = await follow();
    expect(await after(0)).toBe('allow');
    symlinkSync(join(folder, 'b'), `${usual}.new`);
    renameSync(`${usual}.new`, usual);
    expect(await after(300)).toBe('deny');
    writeFileSync(join(folder, 'b'), `${ALLOW}# changed behind the link`);
    expect(await after(300)).toBe('allow');
  });

  it('denies everything where the file is gone, after a moment in which nothing is decided', async () => {
    writeFileSync(usual, ALLOW);
    const { look, after, changes, said, live } = await follow();
    await after(0);
    rmSync(usual);
    expect(look(300)).toBe(false);
    expect(live.current().isGone).toBe(false);
    expect(look(490)).toBe(false);
    expect(await after(20)).toBe('gone');
    expect(said).toEqual([
      expect.stringMatching(/policy\.toml is gone: every call is denied until it is back, or `clawai init`/),
    ]);
    writeFileSync(usual, ALLOW);
    expect(await after(300)).toBe('allow');
    expect(changes.map(({ status }) => status)).toEqual(['gone', 'loaded']);
  });

  it('waits for an editor that takes the file away before it writes it', async () => {
    writeFileSync(usual, ALLOW);
    const { look, after, changes } = await follow();
    await after(0);
    rmSync(usual);
    expect(look(300)).toBe(false);
    writeFileSync(usual, DENY);
    expect(await after(100)).toBe('deny');
    expect(changes.map(({ status }) => status)).toEqual(['loaded']);
  });

  it('a policy that was there once is missed by the next start too, and by one of no other path', async () => {
    writeFileSync(usual, ALLOW);
    await follow();
    expect(hasPolicyMark(state, usual)).toBe(true);
    expect(hasPolicyMark(state, `${usual}2`)).toBe(false);
    rmSync(usual);
    const { after, changes } = await follow();
    expect(await after(0)).toBe('gone');
    expect(await after(5000)).toBe('gone');
    writeFileSync(usual, ALLOW);
    expect(await after(300)).toBe('allow');
    expect(changes.map(({ status }) => status)).toEqual(['loaded']);
  });

  it('where there never was one, the shipped one decides until there is', async () => {
    const { live, after } = await follow();
    await after(0);
    expect(live.current().policy.file).toMatch(/policies\/default\.toml$/);
    expect(hasPolicyMark(state, usual)).toBe(false);
    writeFileSync(usual, DENY);
    expect(await after(300)).toBe('deny');
    expect(live.current().policy.file).toBe(usual);
    rmSync(usual);
    expect(await after(300)).toBe('gone');
    expect(hasPolicyMark(state, usual)).toBe(true);
  });

  it('a named one needs no mark: without it, nothing starts', async () => {
    const file = join(folder, 'named.toml');
    writeFileSync(file, ALLOW);
    const { after } = await follow(file);
    rmSync(file);
    await after(300);
    expect(await after(600)).toBe('gone');
    expect(hasPolicyMark(state, file)).toBe(false);
    await expect(follow(file)).rejects.toThrow('does not exist');
  });

  it('loads the regex engine before it decides by a rule that needs it', async () => {
    writeFileSync(usual, ALLOW);
    const { live, after } = await follow();
    writeFileSync(usual, '[[rule]]\naction = "deny"\ntool = { regex = "^a" }\n');
    await after(300);
    expect(live.current().rules).toHaveLength(1);
  });

  it.each([
    [0o644, 0o755, undefined],
    [0o600, 0o1777, undefined],
    [0o664, 0o755, 'policy.toml'],
    [0o646, 0o755, 'policy.toml'],
    [0o644, 0o775, 'clawai'],
    [0o644, 0o777, 'clawai'],
  ])('hazard 11: warns once where others may write to it: file %o, folder %o', async (mode, folderMode, open) => {
    writeFileSync(usual, ALLOW);
    chmodSync(usual, mode);
    chmodSync(join(config, 'clawai'), folderMode);
    const { after, said } = await follow();
    await after(0);
    await after(300);
    expect(said).toEqual(
      open === undefined ? [] : [expect.stringMatching(`other users can change.*/${open}: run chmod go-w on it`)],
    );
  });

  it('ten thousand reloads keep nothing of the policies before', { tags: 'long' }, async () => {
    writeFileSync(usual, ALLOW);
    const { live, look, after } = await follow();
    const old: WeakRef<object>[] = [];
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let heap = 0;
    for (let i = 0; i < 10_000; i++) {
      writeFileSync(usual, `[[rule]]\nid = "r${i}"\naction = "deny"\ntool = "t${i}*"\nargs.path = "/etc/${i}/**"\n`);
      utimesSync(usual, i, i);
      while (!look(250)) await new Promise((resolve) => setImmediate(resolve));
      if (i % 1000 === 0) old.push(new WeakRef(live.current()));
      live.takeChanges();
      if (i === 1000) {
        collect();
        heap = process.memoryUsage().heapUsed;
      }
    }
    await after(0);
    expect(live.current().rules[0]?.ref.id).toBe('r9999');
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
    expect(old.filter((ref) => ref.deref() !== undefined)).toEqual([]);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(30 * 1024 * 1024);
  });
});

describe("a project's policy, while it is followed", () => {
  const rule = (action: string): string => `[[rule]]\naction = "${action}"\ntool = "t"\n`;
  let project = '';
  let inner = '';
  beforeEach(() => {
    project = join(home, 'work', 'project');
    inner = join(project, 'src', 'deep');
    mkdirSync(inner, { recursive: true });
    mkdirSync(join(project, '.clawai'));
    writeFileSync(usual, ALLOW);
  });

  it('is the nearest one above the working directory, below the home', async () => {
    const file = join(project, '.clawai', 'policy.toml');
    mkdirSync(join(home, '.clawai'));
    writeFileSync(join(home, '.clawai', 'policy.toml'), rule('deny'));
    expect((await follow(undefined, inner)).live.current().project).toBeUndefined();
    writeFileSync(file, rule('deny'));
    expect((await follow(undefined, inner)).live.current().project?.policy.file).toBe(file);
    expect((await follow(undefined, join(home, 'work'))).live.current().project).toBeUndefined();
    expect((await follow(undefined, home)).live.current().project).toBeUndefined();
  });

  it('counts from when it appears, and changes with its file', async () => {
    const { live, after, changes } = await follow(undefined, inner);
    await after(0);
    expect(live.current().project).toBeUndefined();
    const alone = live.current().hash;
    const file = join(project, '.clawai', 'policy.toml');
    writeFileSync(file, rule('prompt'));
    await after(300);
    expect(live.current().project?.rules[0]?.ref).toEqual({ index: 0, action: 'prompt', source: 'project' });
    expect(live.current().hash).not.toBe(alone);
    writeFileSync(file, rule('deny'));
    await after(300);
    expect(live.current().project?.rules[0]?.ref.action).toBe('deny');
    const nearer = join(inner, '.clawai', 'policy.toml');
    mkdirSync(join(inner, '.clawai'));
    writeFileSync(nearer, rule('prompt'));
    await after(300);
    expect(live.current().project?.policy.file).toBe(nearer);
    expect(changes.map(({ status, source }) => `${status} ${source}`)).toEqual(Array.from({ length: 3 }, () => 'loaded project'));
  });

  it.each([
    ['allows something', (file: string) => writeFileSync(file, rule('allow')), /:2:1: a project's policy cannot allow anything/],
    ['is gone', (file: string) => rmSync(file), /: it is gone/],
    ['is empty', (file: string) => writeFileSync(file, ''), /: it is empty/],
  ])('goes on deciding where it %s', async (_, spoil, problem) => {
    const file = join(project, '.clawai', 'policy.toml');
    writeFileSync(file, rule('deny'));
    const { live, after, changes, said } = await follow(undefined, inner);
    spoil(file);
    await after(300);
    await after(600);
    await after(600);
    expect(live.current().project?.rules[0]?.ref.action).toBe('deny');
    expect(changes).toEqual([
      expect.objectContaining({ status: 'kept', source: 'project', problem: expect.stringMatching(problem) }),
    ]);
    expect(said).toHaveLength(1);
  });

  it('starts nothing where it has a fault', async () => {
    writeFileSync(join(project, '.clawai', 'policy.toml'), rule('allow'));
    await expect(follow(undefined, inner)).rejects.toMatchObject({ code: 'policy_invalid' });
  });

  it('holds beside a policy that is gone', async () => {
    writeFileSync(join(project, '.clawai', 'policy.toml'), rule('deny'));
    const { live, after } = await follow(undefined, inner);
    rmSync(usual);
    await after(300);
    expect(await after(600)).toBe('gone');
    expect(live.current().project?.rules).toHaveLength(1);
  });
});

it.each([
  [true, 'deny'],
  [false, 'allow'],
] as const)(
  'files that may have changed since they were read are looked at before anything is decided: %s',
  async (isOld, action) => {
    writeFileSync(usual, ALLOW);
    const machine = { env: { XDG_CONFIG_HOME: config }, platform: 'linux', home } as const;
    const place = { cwd: home, home };
    const start = await loadStartPolicy({ found: findPolicy({ flag: undefined, ...machine }), stateDir: state, place });
    writeFileSync(usual, DENY);
    const clock = () => ({ elapsed: 0, now: Date.now() + 60_000 });
    const live = new LivePolicy({ start, stateDir: state, place, warn: () => {}, clock, isOld });
    while (!live.refresh()) await new Promise((resolve) => setImmediate(resolve));
    expect(live.current().policy.defaults.action).toBe(action);
  },
);
