import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultConfig } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import { compileRegex } from '../../src/core/patterns/regex.ts';
import { listFiles } from '../structure/source.ts';
import { ROOT } from './run-cli.ts';

const machine = { env: {}, platform: process.platform, home: homedir() };

/** What the policy's parser says of a text; nothing where it accepts it. */
export function policyFaults(text: string, isProject = false): readonly string[] {
  const result = parsePolicy(text, { file: 'p.toml', regex: compileRegex, isProject });
  if (result.ok) return [];
  return 'syntax' in result ? [result.syntax.message] : result.errors.map(({ message }) => message);
}

/** The same of a config. */
export function configFaults(text: string): readonly string[] {
  const result = parseConfig(text, { file: 'c.toml', home: '/home/me', defaults: defaultConfig(machine) });
  if (result.ok) return [];
  return 'syntax' in result ? [result.syntax.message] : result.errors.map(({ message }) => message);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Blocks of a language in the pages for users. */
export function blocksOf(language: string): readonly string[] {
  const pages = ['README.md', ...listFiles('docs', '.md')];
  return pages.flatMap((page) =>
    [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text),
  );
}

/** Texts of several lines, and of one that is like TOML, in the tests. */
function textsInTests(): readonly string[] {
  const quoted = /`((?:[^`\\$]|\\.)*)`|'((?:[^'\\\n]|\\.)* = (?:[^'\\\n]|\\.)*)'/g;
  return listFiles('test', '.ts').flatMap((file) =>
    [...read(file).matchAll(quoted)].map(([, many, one]) =>
      (many ?? one ?? '').replaceAll(/\\(n|.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)),
    ),
  );
}

/** Everything in the sources, the tests and the pages that the policy's parser accepts, by its text. */
export function writtenPolicies(): readonly string[] {
  const texts = [...listFiles('policies', '.toml').map(read), ...blocksOf('toml'), ...textsInTests()];
  return [...new Set(texts)].filter((text) => text.trim() !== '' && policyFaults(text).length === 0);
}

/** The same for configs. */
export function writtenConfigs(): readonly string[] {
  const texts = [...blocksOf('toml'), ...textsInTests()];
  return [...new Set(texts)].filter((text) => text.trim() !== '' && configFaults(text).length === 0);
}
