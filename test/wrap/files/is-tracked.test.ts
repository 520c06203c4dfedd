import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTracked } from '../../../src/wrap/files/is-tracked.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-tracked-')));
  file = join(folder, 'project', '.mcp.json');
  mkdirSync(join(folder, 'project'));
  writeFileSync(file, '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): void {
  execFileSync('git', ['-C', join(folder, 'project'), ...args], { stdio: 'ignore' });
}

/** Asks with another PATH, as where git is missing, or is somebody's script. */
function askWith(path: string): boolean | 'unknown' {
  const before = process.env['PATH'];
  process.env['PATH'] = path;
  try {
    return isTracked(file);
  } finally {
    process.env['PATH'] = before;
  }
}

describe('isTracked', () => {
  it('is no outside a repository, whether or not there is a git', () => {
    expect([isTracked(file), askWith('/nonexistent')]).toEqual([false, false]);
  });

  it('is what git says in one', () => {
    git('init', '-q');
    expect(isTracked(file)).toBe(false);
    git('add', '.mcp.json');
    expect(isTracked(file)).toBe(true);
  });

  it('is what git says in another worktree', () => {
    git('init', '-q');
    git('add', '.mcp.json');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '-m', 'x');
    git('worktree', 'add', '-q', join(folder, 'tree'));
    writeFileSync(join(folder, 'tree', 'other.json'), '{}');
    expect([isTracked(join(folder, 'tree', '.mcp.json')), isTracked(join(folder, 'tree', 'other.json'))]).toEqual([true, false]);
  });

  it('is no in a repository inside of another that tracks the folder around it', () => {
    git('init', '-q');
    git('add', '.mcp.json');
    const inner = join(folder, 'project', 'inner');
    execFileSync('git', ['init', '-q', inner]);
    writeFileSync(join(inner, '.mcp.json'), '{}');
    expect(isTracked(join(inner, '.mcp.json'))).toBe(false);
  });

  it('is yes of a link that git does not know, to a file that it does', () => {
    git('init', '-q');
    git('add', '.mcp.json');
    const link = join(folder, 'link.json');
    symlinkSync(file, link);
    expect(isTracked(link)).toBe(true);
  });

  it.each([
    ['there is no git', () => '/nonexistent'],
    [
      'git fails',
      () => {
        const programs = join(folder, 'programs');
        mkdirSync(programs);
        writeFileSync(join(programs, 'git'), '#!/bin/sh\necho .mcp.json\nexit 128\n');
        chmodSync(join(programs, 'git'), 0o755);
        return `${programs}:${process.env['PATH']}`;
      },
    ],
  ])('is unknown in one where %s', (_why, path) => {
    git('init', '-q');
    expect(askWith(path())).toBe('unknown');
  });

  it('is unknown where the repository is damaged', () => {
    git('init', '-q');
    git('add', '.mcp.json');
    writeFileSync(join(folder, 'project', '.git', 'index'), 'damaged');
    expect(isTracked(file)).toBe('unknown');
  });
});
