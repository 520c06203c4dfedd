import { readFileSync } from 'node:fs';
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';
import taplo from '@taplo/lib';
import { SCHEMAS, type SchemaName } from '../../src/schemas/schemas.ts';

/** Says what a schema finds wrong with a value, one sentence each. Unknown keywords and careless schemas are errors. */
export function schemaCheck(name: SchemaName): (value: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(SCHEMAS[name]);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  };
}

/** A log of SARIF as GitHub's code scanning takes it, once it is valid. */
export interface SarifLog {
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: { readonly rules: readonly { readonly id: string; readonly help: { readonly text: string } }[] };
      };
      readonly results: readonly {
        readonly ruleId: string;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly partialFingerprints?: { readonly primaryLocationLineHash: string };
        readonly locations: readonly object[];
      }[];
    },
  ];
}

/**
 * Parses a log, and throws if it is not valid by the schema of SARIF 2.1.0, or lacks what code scanning requires besides: a rule with help
 * for each result, and a line in a file.
 */
export function readSarif(text: string): SarifLog {
  // Ajv no longer knows draft-04 by name; the schema has nothing that later drafts read in another way.
  const { $schema: _, id: __, ...schema } = sarifSchema;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
  const log = JSON.parse(text) as SarifLog;
  for (const each of [schema, CODE_SCANNING]) {
    if (!ajv.validate(each, log)) throw new Error(ajv.errorsText());
  }
  const [{ tool, results }] = log.runs;
  const rules = new Set(tool.driver.rules.map(({ id }) => id));
  const unknown = results.find(({ ruleId }) => !rules.has(ruleId));
  if (unknown !== undefined || rules.size < tool.driver.rules.length)
    throw new Error(`no rule, or two: ${unknown?.ruleId ?? ''}`);
  return log;
}

/** "SARIF support for code scanning" of GitHub's documentation, as far as it goes beyond the schema. */
const CODE_SCANNING = within(['runs', '*'], {
  required: ['automationDetails'],
  allOf: [
    within(['tool', 'driver', 'rules', '*'], { required: ['id', 'name', 'shortDescription', 'fullDescription', 'help'] }),
    within(['results', '*'], { required: ['ruleId', 'ruleIndex', 'level', 'message', 'locations'] }),
    within(['results', '*', 'locations'], { minItems: 1 }),
    within(['results', '*', 'locations', '*', 'physicalLocation'], { required: ['artifactLocation', 'region'] }),
    within(['results', '*', 'locations', '*', 'physicalLocation', 'region'], { required: ['startLine'] }),
  ],
});

/** A schema for what is at this path, where `*` is each item of a list. */
function within([first, ...rest]: readonly string[], schema: object): object {
  if (first === undefined) return schema;
  const inner = within(rest, schema);
  return first === '*' ? { items: inner } : { required: [first], properties: { [first]: inner } };
}

type Taplo = Awaited<ReturnType<typeof taplo.Taplo.initialize>>;
let started: Promise<Taplo> | undefined;

/**
 * Checks a TOML text as editors do, with the program that they use for it, and the schema in this file; or the one that the text itself
 * names, by its place.
 */
export async function editorCheck(
  text: string,
  { schema, file }: { schema?: string; file?: string },
): Promise<readonly string[]> {
  started ??= taplo.Taplo.initialize({
    cwd: () => '/',
    envVar: () => undefined,
    envVars: () => [],
    findConfigFile: () => undefined,
    glob: () => [],
    isAbsolute: (path: string) => path.startsWith('/'),
    now: () => new Date(0),
    readFile: (path: string) => Promise.resolve(readFileSync(path)),
    writeFile: () => Promise.reject(new Error('nothing is written')),
    stderr: (bytes: Uint8Array) => Promise.resolve(bytes.length),
    stdin: () => Promise.resolve(new Uint8Array()),
    stdout: (bytes: Uint8Array) => Promise.resolve(bytes.length),
    urlToFilePath: (url: string) => decodeURIComponent(new URL(url).pathname),
    stdErrAtty: () => false,
  });
  const path = schema ?? schemaNamedIn(text, file ?? '/');
  const { errors } = await (await started).lint(text, { config: { schema: { enabled: true, path: `file://${path}` } } });
  return errors.map(({ error }) => error);
}

/** As the editors' directive has it: the first line, relative to the file. */
function schemaNamedIn(text: string, file: string): string {
  const [, path] = /^#:schema (\S+)\n/.exec(text) ?? [];
  if (path === undefined) throw new Error('the text names no schema in its first line');
  return new URL(path, `file://${file}`).pathname;
}
