#!/usr/bin/env node
// Stands in for systemd: `restart` runs what the unit says, `disable --now` ends it. What it was asked for is in calls.log beside the unit.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, verb, ...rest] = process.argv.slice(2);
const folder = join(process.env.XDG_CONFIG_HOME, 'systemd', 'user');
const unit = join(folder, 'clawai.service');
const pidFile = join(folder, 'pid');
appendFileSync(join(folder, 'calls.log'), `${[verb, ...rest].join(' ')}\n`);
if (process.env.FAKE_SYSTEMCTL_FAILS) {
  console.error('Failed to connect to bus: No medium found');
  process.exit(1);
}

const isAlive = () => {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
};

async function end() {
  if (!existsSync(pidFile)) return;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  } catch {
    // It has ended.
  }
  for (let tries = 0; isAlive() && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(pidFile, { force: true });
}

if (verb === 'restart') {
  await end();
  const line = /^ExecStart=(.*)$/m.exec(readFileSync(unit, 'utf8'))?.[1] ?? '';
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  );
  const child = spawn(words[0], words.slice(1), { detached: true, stdio: 'ignore' });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
} else if (verb === 'disable') await end();
else if (verb === 'is-active') process.exitCode = isAlive() ? 0 : 3;
