import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

const PREFIX = '\0node-builtin:';

/** Modules that bring many others along, and that most commands import without ever calling them. */
const HEAVY: ReadonlySet<string> = new Set(['child_process', 'crypto', 'http', 'https', 'net', 'readline', 'tls']);

/**
 * Takes Node's own modules by `process.getBuiltinModule` where the source imports them.
 *
 * An `import` of one makes Node read every property of it to build the module's namespace, lazy ones included: for `node:fs` that
 * loads its streams and promises, for `node:util` its diff, together 5 ms of each start (measured on Node 24). This way costs
 * nothing but the module itself, and nothing at all for heavy ones until something of them is used.
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
      const name = id.slice(PREFIX.length);
      const taken = `process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`;
      const code = HEAVY.has(name) ? takenLater(taken) : `module.exports = ${taken};`;
      return { code, moduleType: 'js', moduleSideEffects: false };
    },
  };
}

/** Code that exports what stands in for a module, and takes the module when the first of its members is asked for. */
function takenLater(taken: string): string {
  return `
    let taken;
    const take = () => (taken ??= ${taken});
    module.exports = new Proxy({}, {
      get: (_, key) => take()[key],
      set: (_, key, value) => Reflect.set(take(), key, value),
      has: (_, key) => key in take(),
      ownKeys: () => Reflect.ownKeys(take()),
      getOwnPropertyDescriptor: (_, key) => {
        const found = Reflect.getOwnPropertyDescriptor(take(), key);
        return found && { ...found, configurable: true };
      },
    });
  `;
}
