import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectKey } from '../../src/wrap/own-entry.ts';
import { WrapMachine, wrapped } from '../support/wrap-machine.ts';
import { runs } from '../support/runs.ts';

const PROJECT = '../project/.mcp.json';
const OWN = '.claude.json';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

function writeProject(servers: Readonly<Record<string, object>>): void {
  machine.write(PROJECT, JSON.stringify({ mcpServers: servers }));
}

/** The text as a program would have written it at once. */
function relaid(text: string, space: number | string | undefined): string {
  return JSON.stringify(JSON.parse(text), undefined, space);
}

/** Its lines without commas, or characters, in no order, since JSON.parse moves keys that are numbers. */
function layoutOf(text: string): readonly string[] {
  const lines = text.includes('\n') ? text.split('\n').map((line) => line.replace(/,$/, '')) : [...text];
  return lines.toSorted();
}

function own(): Readonly<Record<string, unknown>> {
  return JSON.parse(machine.read(OWN)).projects[machine.project].mcpServers;
}

describe("an entry of one's own", () => {
  it('is put behind clawai with all that the entry has, and is the only thing that is written', async () => {
    writeProject({
      a: { type: 'stdio', command: 'npx', args: ['x'], env: { K: 'v' }, timeout: 3 },
      b: { command: 'clawai', args: ['proxy', '--observe', '--', 'y'] },
    });
    machine.write(OWN, '{}');
    const before = machine.read(PROJECT);
    await machine.wrap({ own: true });
    const behind = (...words: readonly string[]) => ({ command: words[0], args: words.slice(1) });
    expect(own()).toEqual({
      a: { type: 'stdio', ...behind(...wrapped('a', 'npx', 'x')), env: { K: 'v' }, timeout: 3 },
      b: behind(...wrapped('b', 'y')),
    });
    expect(machine.read(PROJECT)).toBe(before);
  });

  it('does not go over one that the user has, which is wrapped as any other', async () => {
    writeProject({ a: { command: 'theirs' } });
    machine.write(OWN, JSON.stringify({ projects: { [machine.project]: { mcpServers: { a: { command: 'mine' } } } } }));
    const before = machine.read(OWN);
    await machine.wrap({ own: true });
    expect(own()).toEqual({ a: { command: wrapped('a', 'mine')[0], args: wrapped('a', 'mine').slice(1) } });
    await machine.unwrap();
    expect(machine.read(OWN)).toBe(before);
  });

  it('is not made where the config has no place for it, cannot be read, or the entry says nothing', async () => {
    writeProject({ a: { command: 'x' } });
    for (const text of ['{"projects":[]}', '{"projects":{', '[]']) {
      machine.write(OWN, text);
      await machine.wrap({ own: true });
      expect(machine.read(OWN)).toBe(text);
    }
    machine.write(OWN, '{}');
    writeProject({ a: { type: 'stdio' } });
    await machine.wrap({ own: true });
    expect(machine.read(OWN)).toBe('{}');
  });

  it('that its user changed stays, and what the client wrote since stays', async () => {
    writeProject({ a: { command: 'x' }, b: { command: 'y' } });
    machine.write(OWN, '{"projects":{}}');
    await machine.wrap({ own: true });
    const config = JSON.parse(machine.read(OWN));
    config.projects[machine.project].mcpServers.a = { command: 'mine' };
    config.numStartups = 1;
    machine.write(OWN, JSON.stringify(config, undefined, 2));
    await machine.unwrap();
    expect(JSON.parse(machine.read(OWN))).toEqual({
      projects: { [machine.project]: { mcpServers: { a: { command: 'mine' } } } },
      numStartups: 1,
    });
  });

  it('is not made of one that its user refused, and is not written anew over what its user changed', async () => {
    writeProject({ a: { command: 'x' }, b: { command: 'y' } });
    machine.write(OWN, JSON.stringify({ projects: { [machine.project]: { disabledMcpjsonServers: ['a'] } } }));
    const outcomes = await machine.wrap({ own: true });
    const entries = outcomes.flatMap(({ report }) => report?.entries ?? []);
    expect(entries).toContainEqual(expect.objectContaining({ server: 'a', scope: 'local', action: 'skip', reason: 'refused' }));
    expect(Object.keys(own())).toEqual(['b']);
    machine.write(OWN, machine.read(OWN).replace('"y"', '"mine"'));
    const before = machine.read(OWN);
    writeProject({ b: { command: 'new' } });
    await machine.wrap({ own: true });
    expect(machine.read(OWN)).toBe(before);
  });

  it('comes and goes without a trace, whatever stands beside it', async () => {
    const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'a/b', '~', 'ü "'), fc.string({ minLength: 1, maxLength: 4 }));
    const entries = fc.dictionary(name, fc.record({ command: fc.constantFrom('x', 'npx'), args: fc.array(fc.string()) }), {
      minKeys: 1,
      maxKeys: 3,
    });
    const config = fc.tuple(
      fc.constantFrom('none', 'projects', 'project', 'servers'),
      entries,
      fc.constantFrom(undefined, 2, 4, '\t'),
    );
    await fc.assert(
      fc.asyncProperty(entries, config, async (servers, [depth, others, space]) => {
        const mine = { more: 1, ...(depth === 'servers' ? { mcpServers: others } : {}) };
        const projects = depth === 'projects' ? {} : { '/other': {}, [machine.project]: mine };
        const text = JSON.stringify({ first: true, ...(depth === 'none' ? {} : { projects }), last: [] }, undefined, space);
        writeProject(servers);
        machine.write(OWN, text);
        await machine.wrap({ own: true });
        expect(Object.keys(own())).toEqual(expect.arrayContaining(Object.keys(servers)));
        expect(layoutOf(machine.read(OWN))).toEqual(layoutOf(relaid(machine.read(OWN), space)));
        await machine.unwrap();
        expect(machine.read(OWN)).toBe(text);
        expect(machine.remembered()).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('the key of a project', () => {
  function git(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('git', ['-C', machine.project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  }

  it('is the real folder of the file, of its repository, or of the main worktree, as Claude Code has it', () => {
    const { project, folder } = machine;
    mkdirSync(join(project, 'sub'));
    symlinkSync(project, join(folder, 'link'));
    const file = join(project, 'sub', '.mcp.json');
    writeFileSync(file, '{}');
    expect(projectKey(file)).toBe(join(project, 'sub'));
    git('init', '-q');
    expect(projectKey(file)).toBe(project);
    expect(projectKey(join(folder, 'link', 'sub', '.mcp.json'))).toBe(project);
    git('add', '-A');
    git('commit', '-qm', 'x');
    git('worktree', 'add', '-q', '../tree');
    expect(projectKey(join(folder, 'tree', 'sub', '.mcp.json'))).toBe(project);
  });
});

describe("an entry of one's own for a server with a URL", () => {
  it('leads through clawai serve, and goes with all that is remembered of it', async () => {
    writeProject({
      web: { type: 'http', url: 'https://x.example/mcp', headers: { A: 'b' } },
      login: { type: 'http', url: 'https://y.example/mcp', oauth: {} },
    });
    machine.write(OWN, '{}');
    const before = machine.read(PROJECT);
    await machine.wrap({ own: true, routes: machine.routes('http://127.0.0.1:8787') });
    expect(own()).toEqual({
      web: { type: 'http', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8787\/mcp\/web\//), headers: { A: 'b' } },
    });
    expect(machine.read(PROJECT)).toBe(before);
    await machine.unwrap({ routes: machine.routes('http://127.0.0.1:8787') });
    expect(machine.read(OWN)).toBe('{}');
  });
});
