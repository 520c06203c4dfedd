import { isBuiltin } from 'node:module';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import config from '../../rolldown.config.ts';
import { ROOT, importsOf, listFiles, parseSource, readSource } from './source.ts';

const chunkFiles: string[] = [];
let externals: string[] = [];
/** Imports of each file, those on demand apart. */
const imports = new Map<string, readonly string[]>();
const codes = new Map<string, string>();
/** Source files in each file. */
const modules = new Map<string, readonly string[]>();
let code = '';
let licences = '';

beforeAll(async () => {
  for (const { output: outputOptions, ...inputOptions } of config) {
    const build = await rolldown({ ...inputOptions, cwd: ROOT });
    const { output } = await build.generate(Array.isArray(outputOptions) ? outputOptions[0] : outputOptions);
    await build.close();
    const chunks = output.filter((item) => item.type === 'chunk');
    for (const chunk of chunks) imports.set(chunk.fileName, chunk.imports);
    for (const chunk of chunks) codes.set(chunk.fileName, chunk.code);
    for (const chunk of chunks) modules.set(chunk.fileName, chunk.moduleIds);
    code += chunks.map((chunk) => chunk.code).join('\n');
    chunkFiles.push(...chunks.map((chunk) => chunk.fileName));
    externals.push(...chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]));
    for (const item of output)
      if (item.type === 'asset' && item.fileName.endsWith('-LICENSES.txt')) licences += String(item.source);
  }
  externals = externals.filter((name) => !chunkFiles.includes(name));
});

/** The files that are loaded with those whose names match: at least one does. */
function loadedWith(name: RegExp): readonly string[] {
  const loaded = new Set(chunkFiles.filter((file) => name.test(file)));
  expect(loaded.size).toBeGreaterThan(0);
  for (const file of loaded) for (const imported of imports.get(file) ?? []) loaded.add(imported);
  return [...loaded].map((file) => file.replace(/-.{8}\.mjs$/, '')).toSorted();
}

describe('bundle', () => {
  it('has the entry that the launcher imports', () => {
    expect(chunkFiles).toContain('main.mjs');
  });

  it('has the process that tidies the store', () => {
    expect(chunkFiles).toContain('tidy-worker.mjs');
  });

  it('has the page, which is small and has no code of the product', () => {
    expect(Buffer.byteLength(codes.get('page.js') ?? '')).toBeLessThan(60_000);
    const own = (modules.get('page.js') ?? []).filter((id) => !id.includes('node_modules'));
    expect(own.filter((id) => !id.includes('/src/page/'))).toEqual([]);
  });

  it('imports nothing but itself and what Node has, and one package that may be missing: the package declares no dependencies', () => {
    expect(externals.filter((name) => !isBuiltin(name))).toEqual(['@napi-rs/keyring']);
    const declared = JSON.parse(readSource('package.json')) as Record<string, Record<string, string> | undefined>;
    expect(declared).not.toHaveProperty('dependencies');
    expect(Object.keys(declared['optionalDependencies'] ?? {})).toEqual(['@napi-rs/keyring']);
  });

  it('loads the keychain and the OAuth client at a login or a refresh only', () => {
    const holding = (part: string): string[] =>
      [...modules].filter(([, ids]) => ids.some((id) => id.includes(part))).map(([file]) => file);
    const ofKeychain = holding('/src/remote/login/keychain.ts');
    expect(ofKeychain).not.toEqual([]);
    for (const file of ofKeychain) expect(imports.get(file)).not.toContain('@napi-rs/keyring');
    const eager = new Set(holding('/node_modules/@modelcontextprotocol/client/'));
    expect(eager.size).toBeGreaterThan(0);
    for (const file of eager) for (const [importer, imported] of imports) if (imported.includes(file)) eager.add(importer);
    expect([...eager].map((file) => file.replace(/-.{8}\.mjs$/, '')).toSorted()).toEqual([
      'demo',
      'log-in',
      'mcp-client',
      'oauth-client',
    ]);
  });

  it('loads few files before `clawai proxy` starts a server, since each costs every server of every client', () => {
    expect(loadedWith(/^(?:main\.mjs|proxy-.{8}\.mjs)$/)).toEqual(['main.mjs', 'proxy', 'rolldown-runtime', 'start']);
  });

  it('loads few files before `clawai proxy` relays, and small commands do not load them', () => {
    expect(loadedWith(/^guard-.{8}\.mjs$/)).toEqual([
      'guard',
      'machine',
      'main.mjs',
      'rolldown-runtime',
      'start',
      'store',
      'terminal',
      'version',
    ]);
    const small = ['version-command', 'log', 'policy-check', 'wrap'];
    for (const name of small) expect(loadedWith(new RegExp(`^${name}-.{8}\\.mjs$`))).not.toContain('guard');
  });

  it('loads one file before `clawai hook` decides, and no big packages, since each call of an agent waits for that', () => {
    const loaded = new Set(['hook.mjs']);
    for (const file of loaded) for (const imported of imports.get(file) ?? []) loaded.add(imported);
    expect([...loaded]).toEqual(['hook.mjs']);
    const packages = [...loaded]
      .flatMap((file) => modules.get(file) ?? [])
      .map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]);
    expect([...new Set(packages)].filter((name) => name !== undefined).toSorted()).toEqual([
      '@scure/bip39',
      'citty',
      'smol-toml',
    ]);
  });

  it('loads WebSockets only where one is opened, and no native code with them', () => {
    const withSockets = [...codes].filter(([, text]) => text.includes('completeUpgrade(')).map(([file]) => file);
    expect(withSockets).toEqual([expect.stringMatching(/^web-socket-/)]);
    const importers = [...imports].filter(([, imported]) => imported.includes(withSockets[0] ?? '')).map(([file]) => file);
    expect(importers).toEqual([expect.stringMatching(/^response-socket-/)]);
    expect([...imports.values()].flat()).not.toContain(importers[0]);
    expect(code).not.toMatch(/require\("(?:bufferutil|utf-8-validate)"\)/);
  });

  it('has of the HTTP client what speaks HTTP/1.1, and neither HTTP/2 nor fetch', () => {
    expect(code).toContain('createHttpClient');
    expect(code).not.toMatch(/getBuiltinModule\("node:http2"\)|webidl\.converters/);
  });

  it('carries the licence of every package that the source imports values from', () => {
    const specifiers = listFiles('src', '.ts').flatMap((file) => importsOf(parseSource(readSource(file))));
    const packages = specifiers
      .filter(({ specifier, isTypeOnly }) => !specifier.startsWith('.') && !isBuiltin(specifier) && !isTypeOnly)
      .map(({ specifier }) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
    expect(packages.length).toBeGreaterThan(0);
    // It is not in the bundle, and comes with its own.
    const bundled = new Set(packages.filter((name) => name !== '@napi-rs/keyring'));
    for (const name of bundled) expect(licences).toMatch(new RegExp(`^${name} \\d+\\..*\\n-+\\n[^]*copyright`, 'im'));
  });
});
