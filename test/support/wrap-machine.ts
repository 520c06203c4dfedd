import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CLIENTS } from '../../src/clients/clients.ts';
import { locateFiles, type LocatedFile } from '../../src/clients/locate.ts';
import { loadFormats } from '../../src/clients/text.ts';
import { readRemoteState } from '../../src/remote/remote-state.ts';
import { createRoutes, type Routes, type RoutesOptions } from '../../src/wrap/routes.ts';
import type { FileOutcome } from '../../src/wrap/files/run-files.ts';
import { StateFolder } from '../../src/wrap/files/state-folder.ts';
import { readStatus, type FileStatus } from '../../src/wrap/status.ts';
import { applyUnwrap, planUnwrap, type UnwrapRequest, type UnwrappedFile } from '../../src/wrap/unwrap.ts';
import { applyWrap, planWrap, type WrapRequest } from '../../src/wrap/wrap.ts';
import type { PlannedFile } from '../../src/wrap/wrap-file.ts';

await loadFormats(['json5', 'toml', 'yaml']);

export const LAUNCHER = ['/opt/node/bin/node', '/opt/clawai/bin/clawai.mjs'] as const;

/** The command line behind clawai, as the tests' launcher writes it. */
export function wrapped(server: string, ...command: readonly string[]): readonly string[] {
  return [...LAUNCHER, 'proxy', '--server', server, '--', ...command];
}

/** A machine of its own with configs of clients: an empty home, a project, and our state. */
export class WrapMachine {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-wrap-')));
  readonly home = join(this.folder, 'home');
  readonly project = join(this.folder, 'project');
  readonly statePath = join(this.folder, 'state', 'clawai', 'wrap');
  readonly state = new StateFolder(this.statePath);
  readonly stateDir = join(this.folder, 'state', 'clawai');

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.project);
  }

  /** Writes a file in the home and returns its path. */
  write(name: string, text: string | Uint8Array, mode = 0o644): string {
    const file = join(this.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  read(name: string): string {
    return readFileSync(join(this.home, name), 'utf8');
  }

  located(): readonly LocatedFile[] {
    return locateFiles(CLIENTS, { env: {}, platform: 'linux', home: this.home }, [this.project]);
  }

  request(more: Partial<WrapRequest> = {}): WrapRequest {
    const { state } = this;
    return { located: this.located(), policies: [], selection: {}, launcher: LAUNCHER, version: '1.0.0', state, ...more };
  }

  plan(more?: Partial<WrapRequest>): readonly FileOutcome<PlannedFile>[] {
    return planWrap(this.request(more));
  }

  wrap(more?: Partial<WrapRequest>): Promise<readonly FileOutcome<PlannedFile>[]> {
    return applyWrap(this.request(more));
  }

  unwrapRequest(more: Partial<UnwrapRequest> = {}): UnwrapRequest {
    return { located: this.located(), clients: CLIENTS, selection: {}, state: this.state, ...more };
  }

  planUnwrap(more?: Partial<UnwrapRequest>): readonly FileOutcome<UnwrappedFile>[] {
    return planUnwrap(this.unwrapRequest(more));
  }

  unwrap(more?: Partial<UnwrapRequest>): Promise<readonly FileOutcome<UnwrappedFile>[]> {
    return applyUnwrap(this.unwrapRequest(more));
  }

  status(): readonly FileStatus[] {
    return readStatus({
      located: this.located(),
      clients: CLIENTS,
      state: this.state,
      launcher: LAUNCHER,
      version: '1.0.0',
    });
  }

  /** What is known now of URLs that lead to `clawai serve`, which runs at this origin, or does not. */
  routes(origin?: string, more: Partial<RoutesOptions> = {}): Routes {
    const serving = origin === undefined ? { obstacle: '' } : { origin };
    const { stateDir } = this;
    const state = readRemoteState(stateDir);
    return createRoutes({
      stateDir,
      state,
      serving,
      declared: [],
      listen: { host: '127.0.0.1', port: 8787 },
      isDry: false,
      ...more,
    });
  }

  /** What is in our state folder, but for the text that says what all that is. */
  remembered(): readonly string[] {
    const names = existsSync(this.statePath) ? readdirSync(this.statePath).toSorted() : [];
    return names.length > 1 ? names.filter((name) => name !== 'README.txt') : names;
  }

  /** What is beside a file of the home. */
  beside(name: string): readonly string[] {
    return readdirSync(dirname(join(this.home, name))).toSorted();
  }

  /** Wraps or unwraps in a process of its own, which may be told to end at a step; see wrap-process.mjs. */
  run(mode: 'wrap' | 'unwrap', options: ProcessOptions = {}): { readonly output: string; readonly signal: string | null } {
    const { args, spawnOptions } = this.#processOf(mode, options);
    const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', ...spawnOptions });
    return { output: `${stdout}${stderr}`, signal };
  }

  /** As `run`, without waiting; resolves with the output. */
  start(mode: 'wrap' | 'unwrap', options: ProcessOptions = {}): Promise<string> {
    const { args, spawnOptions } = this.#processOf(mode, options);
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], ...spawnOptions });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((settle) => child.once('close', () => settle(output)));
  }

  #processOf(mode: string, { endAt = 0, servers = [], uid }: ProcessOptions) {
    const script = join(import.meta.dirname, 'wrap-process.mjs');
    const args = [script, mode, this.home, this.statePath, String(endAt), ...servers];
    return { args, spawnOptions: uid === undefined ? {} : { uid, gid: uid } };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface ProcessOptions {
  /** The process kills itself right before this step, counted from 1. */
  readonly endAt?: number;
  readonly servers?: readonly string[];
  readonly uid?: number;
}
