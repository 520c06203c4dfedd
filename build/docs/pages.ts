import type { JsonSchema } from '../../src/schemas/shapes.ts';
import { SCHEMAS } from '../../src/schemas/schemas.ts';
import { formatCommandTable, formatOldNames, readCommandHelp } from './command-reference.ts';
import { formatKeys } from './key-tables.ts';
import { fillRegions } from './regions.ts';

const { policy, config } = SCHEMAS;

/** The schema at a path of a schema's properties. */
function at(schema: JsonSchema, ...path: readonly string[]): JsonSchema {
  return path.reduce((found, name) => {
    const next = found.properties?.[name];
    if (next === undefined) throw new Error(`the schema has no ${path.join('.')}`);
    return next;
  }, schema);
}

function tableOf(name: string): readonly [string, () => string] {
  return [name, () => formatKeys(at(policy, name), policy.definitions)];
}

const POLICY_TABLES = [
  'defaults',
  'server_policy',
  'flow',
  'schema',
  'dlp',
  'pinning',
  'rate_limits',
  'detection',
  'classify',
  'approval',
];

/** Pages with generated regions, and what generates each of them. */
const PAGES: Readonly<Record<string, () => Promise<Readonly<Record<string, () => string>>>>> = {
  'docs/cli.md': async () => {
    const help = await readCommandHelp();
    return { commands: formatCommandTable, 'old-names': formatOldNames, help: () => help };
  },
  'docs/config.md': async () => ({ config: () => formatKeys(config) }),
  'docs/policy.md': async () => ({
    rule: () => formatKeys(at(policy, 'rule').items ?? {}, policy.definitions),
    ...Object.fromEntries(POLICY_TABLES.map(tableOf)),
  }),
};

export const GENERATED_PAGES: readonly string[] = Object.keys(PAGES);

/** A page with its generated regions as the code says now. @param page one of `GENERATED_PAGES` @param text the page as it is */
export async function generatePage(page: string, text: string): Promise<string> {
  const texts = await PAGES[page]?.();
  if (texts === undefined) throw new Error(`nothing in ${page} is generated`);
  return fillRegions(text, texts);
}
