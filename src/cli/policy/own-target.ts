import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Config, defaultConfig } from '../../config/config.ts';
import { loadConfig } from '../../config/config-file.ts';
import { findFile } from '../../config/find-file.ts';
import { toSlashes } from '../../core/policy/absolute-path.ts';
import { foldPath } from '../../core/policy/fold-path.ts';
import { compileOwnPaths, isOwn } from '../../core/self/own-paths.ts';
import { ClawaiError } from '../../errors.ts';
import type { Machine } from '../../host/directories.ts';
import { pathStyle } from '../../host/path-style.ts';
import { realPath } from '../../host/real-path.ts';
import { listOwnPaths } from '../machine/own-paths.ts';
import { ownFiles } from '../machine/own-files.ts';

/** Is this file one that decides here and now, or any other that makes up clawai? No agent may have those written. */
export async function isOwnTarget(file: string): Promise<boolean> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const style = pathStyle(machine.platform);
  const config = await configOf(machine);
  const start = { file: policyOf(machine), project: undefined };
  const own = compileOwnPaths(
    listOwnPaths({ ...machine, stateDir: config.stateDir, files: ownFiles(start, config) }, realPath),
    style,
  );
  const path = resolve(file);
  return [path, realPath(path)].some((each) => isOwn(foldPath(style === 'windows' ? toSlashes(each) : each, style), own));
}

async function configOf(machine: Machine): Promise<Config> {
  try {
    return await loadConfig(machine);
  } catch (error) {
    // What is wrong with the config is not what was asked.
    if (error instanceof ClawaiError) return defaultConfig(machine);
    throw error;
  }
}

function policyOf(machine: Machine): string {
  try {
    return findFile('policy', machine).file;
  } catch (error) {
    // One that is named and is not there can't be what is written to; the usual one may be.
    if (error instanceof ClawaiError) return findFile('policy', { ...machine, env: { ...machine.env, CLAWAI_POLICY: '' } }).file;
    throw error;
  }
}
