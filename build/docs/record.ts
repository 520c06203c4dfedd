// Runs the demo at a terminal of 80 columns, and writes what it printed to docs/demo.svg.
//   npm run docs:record
// Nothing is changed but the folder that clawai lies in, which is another one on every machine.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderSvg } from './svg.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const COMMAND = 'clawai demo';
const INSTALLED = '/opt/clawai';

const line = `stty cols 80 rows 40; exec '${process.execPath}' '${join(ROOT, 'bin', 'clawai.mjs')}' demo`;
const words = process.platform === 'darwin' ? ['-q', '/dev/null', '/bin/sh', '-c', line] : ['-qec', line, '/dev/null'];
const { NO_COLOR: _, ...env } = process.env;
const { status, stdout, stderr, error } = spawnSync('script', words, {
  env: { ...env, TERM: 'xterm', SHELL: '/bin/sh', TMPDIR: '/tmp' },
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`the demo could not be recorded: ${stderr}`, { cause: error });
writeFileSync(join(ROOT, 'docs', 'demo.svg'), renderSvg(COMMAND, stdout.replaceAll(ROOT, INSTALLED)));
