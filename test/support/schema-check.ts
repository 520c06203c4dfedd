import { readFileSync } from 'node:fs';
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
