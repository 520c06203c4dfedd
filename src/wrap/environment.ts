/** Variables that move clawai's policy, settings or state, or change how its Node runs; compared case-insensitively, as on Windows. */
const CHANGING = new Set([
  'APPDATA',
  'HOME',
  'LD_AUDIT',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'LOCALAPPDATA',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_REPL_EXTERNAL_MODULE',
  'PATH',
  'USERPROFILE',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
]);

/** Variables that only clawai reads, or that make it use another policy or other code; servers hardly need them. */
const POLICY = new Set([
  'APPDATA',
  'DYLD_INSERT_LIBRARIES',
  'LD_AUDIT',
  'LD_PRELOAD',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
]);

/** Matches variables that choose libraries or cached compiled code, and so can load code from a stranger's folder. */
const CODE = /^(?:(?:DYLD|LD|OPENSSL)_\w+|HOME|LOCALAPPDATA|USERPROFILE|XDG_CACHE_HOME)$/;

/**
 * Returns the names of variables by which an entry can give the clawai in front of its server another policy, other settings or other code.
 */
export function variablesThatChangePolicy(env: Readonly<Record<string, string>>): readonly string[] {
  return variablesThatChangeClawai(env).filter((name) => {
    const upper = name.toUpperCase();
    return POLICY.has(upper) || variablesOfClawai({ [name]: '' }).length > 0;
  });
}

/** Returns the names of variables that only clawai reads, and that choose more than the session. */
export function variablesOfClawai(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(env).filter((name) => /^CLAWAI_(?!SESSION$)/i.test(name));
}

/** Variables by which programs without an absolute path are found, and packages that npx fetches; `NPM_CONFIG_…` too. */
const FINDING = new Set(['COMSPEC', 'NODE_PATH', 'PATH', 'PATHEXT']);

/**
 * Returns the names of variables by which a stranger's entry can replace your clawai by other code, or give it another home.
 * @param isFound true if the program that starts clawai has no absolute path
 */
export function variablesThatReplaceClawai(env: Readonly<Record<string, string>>, isFound: boolean): readonly string[] {
  const policy = new Set(variablesThatChangePolicy(env));
  return Object.keys(env).filter((name) => {
    const upper = name.toUpperCase();
    const isFinding = FINDING.has(upper) || upper.startsWith('NPM_CONFIG_');
    return policy.has(name) || CODE.test(upper) || (isFound && isFinding);
  });
}

/** Returns the names of variables in an entry that would also change clawai when it stands in front of the server. */
export function variablesThatChangeClawai(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(env).filter((name) => {
    const upper = name.toUpperCase();
    return CHANGING.has(upper) || upper.startsWith('CLAWAI_');
  });
}
