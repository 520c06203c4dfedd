import { existsSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findImpurities } from './impurities.ts';
import { findCycle, findForbiddenImports, importGraph, layerOf, type LayerTable } from './layers.ts';
import { ROOT, importsOf, listFiles, parseSource, readSource } from './source.ts';

const PURE = ['errors', 'suggest', 'core', 'policy-tools', 'scan', 'protocol'];
const PORTS = ['errors', 'core', 'protocol', 'gate/ports'];

// Lower layers first. Each line: the layer, what it may import, which of Node's modules.
const LAYERS: LayerTable = {
  errors: { layers: [], builtins: { only: [] } },
  suggest: { layers: [], builtins: { only: [] } },
  core: { layers: ['errors', 'suggest'], builtins: { only: ['node:crypto'] } },
  'policy-tools': { layers: ['errors', 'suggest', 'core'], builtins: { only: [] } },
  scan: { layers: ['core'], builtins: { only: [] } },
  protocol: { layers: ['errors'], builtins: { only: ['node:crypto'] } },
  gate: {
    layers: ['errors', 'core', 'protocol'],
    builtins: {
      except: [
        'node:net',
        'node:tls',
        'node:dgram',
        'node:dns',
        'node:http',
        'node:https',
        'node:http2',
        'node:fs',
        'node:child_process',
      ],
    },
  },
  host: { layers: PORTS, builtins: 'all' },
  store: { layers: [...PORTS, 'host/make-folder'], builtins: 'all' },
  audit: { layers: [...PORTS, 'host/make-folder'], builtins: 'all' },
  approval: { layers: [...PORTS, 'host/start-program'], builtins: 'all' },
  session: { layers: [...PORTS, 'host/make-folder'], builtins: 'all' },
  transport: {
    layers: ['errors', 'core', 'protocol', 'gate', 'host/start-program'],
    builtins: 'all',
    never: ['core/policy', 'core/match', 'core/decide'],
  },
  clients: { layers: ['errors', 'core'], builtins: 'all' },
  config: { layers: ['errors', 'suggest', 'core', 'policy-tools', 'host'], builtins: 'all' },
  schemas: { layers: ['core', 'config'], builtins: { only: [] } },
  remote: { layers: ['errors', 'core', 'config', 'host'], builtins: 'all' },
  wrap: { layers: [...PURE, 'host', 'clients', 'config', 'remote'], builtins: 'all' },
  // It runs in a browser, and shares nothing but types with what serves it.
  page: { layers: [], builtins: { only: [] } },
  cli: {
    layers: [
      ...PURE,
      'gate',
      'host',
      'store',
      'audit',
      'approval',
      'session',
      'transport',
      'clients',
      'config',
      'schemas',
      'remote',
      'wrap',
      'page/wire',
    ],
    builtins: 'all',
  },
  main: { layers: ['errors', 'suggest', 'cli'], builtins: 'all' },
};

/** Lines that no source file exceeds, and those that nine of ten do not. */
const MAX_LINES = 450;
const USUAL_LINES = 220;

/** A folder with more entries is hard to find something in. */
const MAX_ENTRIES = 25;

const BANNED_WORDS = /(^|-)(utils?|helpers?|common|misc|managers?|services?|processors?|base)(-|$)/;

const files = new Map(listFiles('src', '.ts', '.tsx').map((file) => [file, readSource(file)]));

describe('layers', () => {
  it.each([...files])('%s imports only what its layer may', (file, text) => {
    expect(findForbiddenImports(LAYERS, file, text)).toEqual([]);
  });

  it('every import leads to a file', () => {
    const dangling = [...importGraph(files)].flatMap(([file, targets]) =>
      targets.filter((target) => !existsSync(join(ROOT, target))).map((target) => `${file} imports ${target}`),
    );
    expect(dangling).toEqual([]);
  });

  it('there are no cycles', () => {
    expect(findCycle(importGraph(files))).toBeUndefined();
  });

  it.each([...files].filter(([file]) => PURE.includes(layerOf(file))))('%s is pure', (_file, text) => {
    expect(findImpurities(text)).toEqual([]);
  });

  it('a third-party package is imported by one file only', () => {
    const importers = new Map<string, string[]>();
    for (const [file, text] of files) {
      for (const { specifier } of importsOf(parseSource(text))) {
        if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
        importers.set(specifier, [...new Set([...(importers.get(specifier) ?? []), file])]);
      }
    }
    expect([...importers].filter(([, importing]) => importing.length > 1)).toEqual([]);
  });
});

describe('files', () => {
  const names = ['src', 'test', 'bin'].flatMap((folder) => listFiles(folder));

  it('only TypeScript is in src, and the style of a page', () => {
    const others = listFiles('src').filter((file) => !/\.ts$|^src\/page\/browser\/[\w-]+\.tsx$/.test(file));
    expect(others).toEqual(['src/page/browser/page.css', 'src/page/tsconfig.json']);
  });

  it('code is kebab-case and in kebab-case folders', () => {
    const code = names.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
    expect(code.filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)+[a-z0-9]+([-.][a-z0-9]+)*\.[mc]?[jt]sx?$/.test(file))).toEqual([]);
  });

  it('no name is one of those that say nothing', () => {
    const words = names.flatMap((file) => file.split('/').map((part) => ({ file, word: basename(part).replace(/\..*$/, '') })));
    expect(words.filter(({ word }) => BANNED_WORDS.test(word)).map(({ file }) => file)).toEqual([]);
  });

  const sizes = [...files].map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }));

  it(`no source file has more than ${MAX_LINES} lines`, () => {
    expect(sizes.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it(`nine of ten source files have at most ${USUAL_LINES} lines`, () => {
    expect(sizes.filter(({ lines }) => lines > USUAL_LINES).length).toBeLessThanOrEqual(sizes.length / 10);
  });

  const folders = ['src', ...new Set([...files.keys()].map((file) => dirname(file)))];
  it.each(folders)(`%s has at most ${MAX_ENTRIES} entries`, (folder) => {
    expect(readdirSync(join(ROOT, folder)).length).toBeLessThanOrEqual(MAX_ENTRIES);
  });
});

describe('the checks themselves', () => {
  const forbidden: [file: string, text: string][] = [
    ['src/core/x.ts', "import { a } from '../gate/a.ts';"],
    ['src/core/x.ts', "import type { A } from '../protocol/a.ts';"],
    ['src/core/x.ts', "export * from '../protocol/a.ts';"],
    ['src/core/x.ts', "type A = import('../gate/a.ts').A;"],
    ['src/core/x.ts', "import { readFileSync } from 'node:fs';"],
    ['src/core/x.ts', "import { readFileSync } from 'fs';"],
    ['src/protocol/x.ts', "import { connect } from 'node:net';"],
    ['src/protocol/x.ts', "import { a } from '../core/a.ts';"],
    ['src/gate/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/gate/x.ts', "const http = await import('node:http');"],
    ['src/audit/x.ts', "import { a } from '../gate/interceptor.ts';"],
    ['src/transport/x.ts', "import { decide } from '../core/decide.ts';"],
    ['src/transport/x.ts', "import { a } from '../core/policy/a.ts';"],
    ['src/transport/x.ts', "import { a } from '../audit/a.ts';"],
    ['src/config/x.ts', 'const a = await import(`./${b}.ts`);'],
    ['src/cli/x.ts', "import { a } from '../main.ts';"],
    ['src/cli/x.ts', "import { a } from '../page/keep-events.ts';"],
    ['src/page/browser/x.tsx', "import type { A } from '../../core/call.ts'; const b = <p>{c}</p>;"],
    ['src/cli/x.ts', "import { a } from '../../test/a.ts';"],
    ['src/helper-things/x.ts', ''],
    ['src/loose.ts', ''],
  ];
  it.each(forbidden)('%s may not contain %s', (file, text) => {
    expect(findForbiddenImports(LAYERS, file, text)).toHaveLength(1);
  });

  const allowed: [file: string, text: string][] = [
    [
      'src/core/x.ts',
      "import { createHash } from 'node:crypto'; import { b } from './policy/b.ts'; import { c } from '../errors.ts';",
    ],
    ['src/audit/x.ts', "import type { Sink } from '../gate/ports.ts'; import type { Call } from '../core/call.ts';"],
    ['src/transport/x.ts', "import { a } from '../gate/interceptor.ts'; import { spawn } from 'node:child_process';"],
    ['src/cli/x.ts', "const a = await import('../core/policy/a.ts');"],
  ];
  it.each(allowed)('%s may contain %s', (file, text) => {
    expect(findForbiddenImports(LAYERS, file, text)).toEqual([]);
  });

  it('find a cycle, also through types and dynamic imports', () => {
    const cyclic = new Map([
      ['src/a.ts', "import type { B } from './b.ts';"],
      ['src/b.ts', "const c = () => import('./c.ts');"],
      ['src/c.ts', "export { a } from './a.ts';"],
    ]);
    expect(findCycle(importGraph(cyclic))).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts']);
  });

  it('see the real source', () => {
    expect(files.size).toBeGreaterThan(5);
  });
});
