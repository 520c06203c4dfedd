// What the scripts share that hold clawai against real agents: folders of their own, and processes in them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
export const BIN = join(ROOT, 'bin', 'clawai.mjs');

/** Milliseconds until a process is given up. */
const PATIENCE = 120_000;

export const say = (text) => process.stdout.write(`${text}\n`);

/**
 * A folder with a home and a project. @param name of the agent @param more of the environment
 * @returns also `run`, which runs a command in the project and returns what it printed
 */
export function createRoom(name, more = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `clawai-${name}-`)));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(home);
  mkdirSync(project);
  const env = { PATH: process.env.PATH, HOME: home, ...more };
  const run = ([command, ...args], options = {}) => {
    const given = { cwd: project, env, encoding: 'utf8', timeout: PATIENCE, input: '', ...options };
    const { status, stdout, stderr } = spawnSync(command, args, given);
    return { status, stdout: stdout ?? '', stderr: stderr ?? '', text: `${stdout}${stderr}`.trim() };
  };
  return { folder, home, project, env, run };
}
