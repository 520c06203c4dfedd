import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

const PREFIX = '\0node-builtin:';

/**
 * Takes Node's own modules by `process.getBuiltinModule` where the source imports them.
 *
 * An `import` of one makes Node read every property of it to build the module's namespace, lazy ones included: for `node:fs` that
 * loads its streams and promises, for `node:util` its diff, together 5 ms of each start (measured on Node 24). This way costs
 * nothing but the module itself.
 */
export function nodeBuiltins(): Plugin {
  return {
    name: 'node-builtins',
    resolveId(specifier) {
      return isBuiltin(specifier) ? PREFIX + specifier.replace(/^node:/, '') : undefined;
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      // Names that exist with the prefix only (node:sqlite) need it, and the others take it too.
      const code = `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${id.slice(PREFIX.length)}`)});`;
      return { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}
