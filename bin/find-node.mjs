// Loaded only by a Node that is too old to run clawai: finds a fit one and runs the launcher on it. Must parse on Node 14.
import { spawn, spawnSync } from 'child_process';
import { constants, homedir } from 'os';
import { delimiter, dirname, isAbsolute, join } from 'path';
import { existsSync, readFileSync, readdirSync, realpathSync } from 'fs';
import { fileURLToPath } from 'url';

const REQUIRED = '22.19.0';
const REEXECUTED = 'CLAWAI_REEXECUTED';
const EXIT_UNUSABLE = 2;
const VERSION_TIMEOUT_MS = 5000;
const MOST_SEARCH_S = 8;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const WINDOWS = process.platform === 'win32';
const EXECUTABLE = WINDOWS ? 'node.exe' : 'node';

/** True when `version` ("v24.1.0" or "24.1.0") is at least the required one; false for anything that is no release version. */
export function isFit(version) {
  return /^v?\d+\.\d+\.\d+$/.test(version) && compareVersions(version, REQUIRED) >= 0;
}

/** Compares two versions like "v24.1.0": negative, zero or positive. */
export function compareVersions(left, right) {
  const [a, b] = [left, right].map((version) => version.replace(/^v/, '').split('.').map(Number));
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The exit code where there is none, and whether a process that a signal has ended counts as one with that code. */
let unusable = EXIT_UNUSABLE;
let hidesSignals = false;

/**
 * Runs `launcherUrl` with the same arguments on the first fit Node and ends as that process ends.
 * Prints what is missing and sets exit code 2 where there is none.
 * With `unanswered`, that is the exit code there, and wherever a signal has ended the process: a hook's caller looks at nothing else.
 */
export function runOnFitNode(launcherUrl, unanswered) {
  if (unanswered) [unusable, hidesSignals] = [unanswered, true];
  const launcher = fileURLToPath(launcherUrl);
  // A candidate that claimed to be fit and then ran an old Node (a shim) would bring us here again and again.
  if (process.env[REEXECUTED] !== undefined) return explain();
  runOnNext(candidates(dirname(dirname(launcher))), launcher);
}

function explain() {
  process.stderr.write(
    `clawai: it needs Node ${REQUIRED} or newer; this is ${process.versions.node} (${process.execPath}) and no newer one was found. ` +
      'Install one from https://nodejs.org or with `nvm install 24`\n',
  );
  process.exitCode = unusable;
}

function runOnNext(remaining, launcher) {
  const next = remaining.next();
  if (next.done) return explain();
  const child = spawn(next.value, [launcher, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { [REEXECUTED]: '1' }),
  });
  const forwards = FORWARDED.map((signal) => [signal, () => child.kill(signal)]);
  const stopForwarding = () => forwards.forEach(([signal, forward]) => process.removeListener(signal, forward));
  forwards.forEach(([signal, forward]) => process.on(signal, forward));
  // It could not be started (another architecture, another libc), so the next one is tried; nothing has run yet.
  child.on('error', () => {
    if (child.pid !== undefined) return;
    stopForwarding();
    runOnNext(remaining, launcher);
  });
  child.on('exit', (code, signal) => {
    stopForwarding();
    endAs(code, signal);
  });
}

/** Ends this process with the child's exit code, or by the signal that ended it. */
function endAs(code, signal) {
  if (signal === null) process.exit(code);
  if (hidesSignals) process.exit(unusable);
  process.exitCode = 128 + constants.signals[signal]; // where the signal is ignored or does not exist, as on Windows
  process.kill(process.pid, signal);
}

/** Yields the absolute paths of fit Nodes, nearest first. Lazy: each step costs system calls or a process. */
function* candidates(packageRoot) {
  for (const folder of [join(packageRoot, 'node_modules', 'node'), join(dirname(packageRoot), 'node')]) {
    const path = join(folder, 'bin', EXECUTABLE);
    if (existsSync(path) && isFit(packageVersion(folder))) yield path;
  }
  for (const path of onPath()) if (isFit(versionOf(path))) yield path;
  for (const path of managed()) yield path;
  for (const path of WINDOWS ? [] : ['/opt/homebrew/bin/node', '/usr/local/bin/node']) {
    if (existsSync(path) && isFit(versionOf(path))) yield path;
  }
}

function packageVersion(folder) {
  try {
    return String(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version);
  } catch {
    return ''; // unreadable: not a candidate
  }
}

/** Every `node` on PATH but this one. Relative entries are left out: they would run what the current folder happens to hold. */
function onPath() {
  const paths = (process.env.PATH || '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, EXECUTABLE));
  const seen = new Set([realPath(process.execPath)]);
  return paths.filter((path) => {
    const real = realPath(path);
    if (real === undefined || seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // not there
  }
}

/** What `path` says its version is; its own location tells for free where a version manager put it there. */
function versionOf(path) {
  // A hook's caller does not wait for long, and runs the call then.
  if (hidesSignals && process.uptime() > MOST_SEARCH_S) return '';
  const told = /[/\\]v?(\d+\.\d+\.\d+)[/\\](?:installation[/\\])?(?:bin[/\\])?node(?:\.exe)?$/.exec(realPath(path) || '');
  if (told) return told[1];
  const asked = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return asked.status === 0 ? asked.stdout.trim() : '';
}

/** Fit Nodes in the folders of version managers, newest first. These keep each version in a folder named after it. */
function managed() {
  const home = homedir();
  const { ASDF_DATA_DIR, FNM_DIR, MISE_DATA_DIR, NVM_DIR, VOLTA_HOME, XDG_DATA_HOME } = process.env;
  const data = XDG_DATA_HOME || join(home, '.local', 'share');
  const folders = [
    [join(NVM_DIR || join(home, '.nvm'), 'versions', 'node'), 'bin'],
    [join(FNM_DIR || join(data, 'fnm'), 'node-versions'), join('installation', 'bin')],
    [join(home, 'Library', 'Application Support', 'fnm', 'node-versions'), join('installation', 'bin')],
    [join(VOLTA_HOME || join(home, '.volta'), 'tools', 'image', 'node'), 'bin'],
    [join(MISE_DATA_DIR || join(data, 'mise'), 'installs', 'node'), 'bin'],
    [join(ASDF_DATA_DIR || join(home, '.asdf'), 'installs', 'nodejs'), 'bin'],
    ['/usr/local/n/versions/node', 'bin'],
    ['/opt/homebrew/Cellar/node', 'bin'],
  ];
  if (WINDOWS) folders.push([process.env.NVM_HOME || join(process.env.APPDATA || home, 'nvm'), '']);
  const found = [];
  for (const [folder, inside] of folders) {
    for (const version of versionsIn(folder)) found.push({ version, path: join(folder, version, inside, EXECUTABLE) });
  }
  return found
    .sort((a, b) => compareVersions(b.version, a.version))
    .map(({ path }) => path)
    .filter((path) => existsSync(path));
}

function versionsIn(folder) {
  try {
    return readdirSync(folder).filter(isFit);
  } catch {
    return []; // that manager is not installed
  }
}
