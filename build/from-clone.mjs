#!/usr/bin/env node
// Runs clawai out of a clone that may not be built yet, as CI and pre-commit have it: installs and builds it first, once.
//   node build/from-clone.mjs policy lint --policy policy.toml
// npm can't do that for them: a package that is installed from git, globally, is built without what it is built with.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..');

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, options);
  if (error !== undefined) console.error(`clawai: ${command} can't be started: ${error.message}`);
  return status === null ? 2 : status;
}

function build() {
  if (existsSync(join(ROOT, 'dist', 'main.mjs'))) return true;
  console.error('clawai: it is built once, which takes a minute');
  // What npm prints is no output of the command that was asked for.
  const stdio = ['ignore', 2, 2];
  // Whatever NODE_ENV or an .npmrc says: it is built by a script of its own, with what is for development.
  const args = ['ci', '--include=dev', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', args, { cwd: ROOT, stdio, shell: process.platform === 'win32' }) === 0;
}

if (build())
  process.exitCode = run(process.execPath, [join(ROOT, 'bin', 'clawai.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
else {
  console.error(`clawai: it could not be built in ${ROOT}: see above`);
  process.exitCode = 2;
}
