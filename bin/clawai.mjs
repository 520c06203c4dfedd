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

/** An exit code that no command has: the hook has ended without an answer. */
const UNANSWERED = 97;
const HOOK_FAILED = 'clawai denied this call, because its hook failed. Tell the user to run clawai doctor.';
/** Clients that stop a call by words on stdout. All others do by exit code 2, if there is a text on stderr. */
const HOOK_WORDS = {
  cursor: { permission: 'deny', user_message: HOOK_FAILED, agent_message: HOOK_FAILED },
  cline: { cancel: true, errorMessage: HOOK_FAILED },
};

/**
 * Most clients run a call whose hook crashes, or ends with another code than 0 and 2: so every such end becomes a denial.
 * Returns what ends the process that way.
 */
function denyUnlessAnswered({ writeSync }) {
  const deny = (why) => {
    try {
      const words = HOOK_WORDS[process.argv[3]];
      if (words) writeSync(1, `${JSON.stringify(words)}\n`);
      writeSync(2, `${HOOK_FAILED} (${why})\n`);
    } catch {
      // The client has closed the pipe; the code still tells it.
    }
    process.exitCode = 2;
  };
  const end = (why) => {
    deny(why);
    process.exit(2);
  };
  process.exitCode = UNANSWERED;
  process.on('exit', (code) => code === 0 || code === 2 || deny('it ended without an answer'));
  process.on('uncaughtException', end);
  return end;
}

const isHook = process.argv[2] === 'hook' && !process.argv.includes('--help') && !process.argv.includes('-h');

// Keep in step with "engines" in package.json; a test compares them.
if (major > 22 || (major === 22 && minor >= 19)) {
  delete process.env.CLAWAI_REEXECUTED; // what we start must see the environment that we were given
  enableCompileCache();
  if (!isHook) import('../dist/main.mjs').then((bundle) => bundle.main(process.argv.slice(2)), explainFailedImport);
  else {
    const end = denyUnlessAnswered(process.getBuiltinModule('fs'));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
    // Clients wait until the process has ended, whatever is still open in it.
    import('../dist/hook.mjs').then((bundle) => bundle.main(process.argv.slice(2))).then(() => process.exit(), end);
  }
} else {
  const findNode = () => import('./find-node.mjs').then((search) => search.runOnFitNode(import.meta.url, isHook && UNANSWERED));
  if (!isHook) findNode();
  else import('fs').then((fs) => findNode().catch(denyUnlessAnswered(fs)));
}
