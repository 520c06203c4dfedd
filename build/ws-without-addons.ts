import type { Plugin } from 'rolldown';

const ADDONS = /^(?:bufferutil|utf-8-validate)$/;
const PREFIX = '\0left-out:';

/** Leaves out native code that ws would load from any `node_modules` around the bundle. It has the same in JavaScript, and Node the rest. */
export function wsWithoutAddons(): Plugin {
  return {
    name: 'ws-without-addons',
    resolveId: (specifier) => (ADDONS.test(specifier) ? PREFIX + specifier : undefined),
    load: (id) => (id.startsWith(PREFIX) ? { code: `throw new Error('left out');`, moduleType: 'js' } : undefined),
  };
}
