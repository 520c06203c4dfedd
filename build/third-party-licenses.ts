import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const LEGAL_FILE = /^(licen[cs]e|copying|notice)/i;
const RULE = '-'.repeat(80);

/**
 * Writes the licences of every bundled package beside the bundle: their terms ask that the text travels with the code.
 * A bundled package without a licence text fails the build.
 */
export function thirdPartyLicenses(fileName = 'THIRD-PARTY-LICENSES.txt'): Plugin {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const id of output.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const source = [...folders].toSorted().map(licenceSection).join('\n');
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** The package's folder of a module inside `node_modules`, also a nested one; undefined for our own modules. */
function packageFolder(moduleId: string): string | undefined {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(moduleId.replace(/^\0/, ''))?.[0];
}

function licenceSection(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const files = readdirSync(folder).filter((file) => LEGAL_FILE.test(file));
  if (files.length === 0) throw new Error(`${name} is bundled but carries no licence text`);
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [RULE, `${name} ${version} (${license})`, RULE, '', ...texts, ''].join('\n');
}
