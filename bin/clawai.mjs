#!/usr/bin/env node
// The launcher. It must parse on every Node from 14 on, so that an old one gets a plain answer instead of a syntax error.
// MCP clients start one of these per server, so the fit path imports nothing but the bundle and makes two system calls of its own.

const [major, minor] = process.versions.node.split('.').map(Number);

/** The directory for compiled code, or undefined where the environment names none. Relative values are ignored, as XDG demands. */
function cacheDirectory() {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA && `${LOCALAPPDATA}\\clawai\\cache`;
  if (XDG_CACHE_HOME && XDG_CACHE_HOME[0] === '/') return `${XDG_CACHE_HOME}/clawai/compile`;
  if (!HOME || HOME[0] !== '/') return undefined;
  return process.platform === 'darwin' ? `${HOME}/Library/Caches/clawai/compile` : `${HOME}/.cache/clawai/compile`;
}

/** True for a real directory that only this user can write to; creates a missing one. Throws where that fails. */
function isPrivate(directory) {
  const fs = process.getBuiltinModule('fs');
  const found = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) {
    makeFolder(fs, directory);
    return true;
  }
  if (!found.isDirectory()) return false;
  return process.platform === 'win32' || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}

/** One folder after the other: Node's own recursive way never ends on procfs, which denies with ENOENT. */
function makeFolder(fs, folder) {
  if (fs.existsSync(folder)) return;
  const parent = folder.replace(/[/\\][^/\\]*$/, '');
  if (parent !== folder && parent !== '') makeFolder(fs, parent);
  fs.mkdirSync(folder, { mode: 0o700 });
}

function enableCompileCache() {
  try {
    const directory = cacheDirectory();
    // Never Node's default in the shared temporary directory: whoever creates it first chooses the code that we run.
    if (directory && isPrivate(directory)) process.getBuiltinModule('module').enableCompileCache(directory);
  } catch {
    // The cache only saves time; without it everything works.
  }
}

function explainFailedImport(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('clawai: it is not built yet (dist/main.mjs is missing): run `npm ci` in its folder, which builds it\n');
  process.exitCode = 2;
}

// Keep in step with "engines" in package.json; a test compares them.
if (major > 22 || (major === 22 && minor >= 19)) {
  delete process.env.CLAWAI_REEXECUTED; // what we start must see the environment that we were given
  enableCompileCache();
  import('../dist/main.mjs').then((bundle) => bundle.main(process.argv.slice(2)), explainFailedImport);
} else {
  import('./find-node.mjs').then((search) => search.runOnFitNode(import.meta.url));
}
