import { describe, expect, it } from 'vitest';
import { findImpurities } from './impurities.ts';

const IMPURE: [code: string, found: string[]][] = [
  ['export const now = Date.now();', ['Date.now']],
  ["const now = Date['now']();", ['Date.now']],
  ['const now = new Date();', ['new Date()']],
  ['const now = Date();', ['Date()']],
  ['const home = process.env["HOME"];', ['process']],
  ['const p = { process };', ['process']],
  ['console.log(1);', ['console']],
  ['setTimeout(() => {}, 1);', ['setTimeout']],
  ['const later = [setImmediate];', ['setImmediate']],
  ['const g = (globalThis as unknown).x;', ['globalThis']],
  ['async function f() { await 1; }', ['await']],
  ['async function f(x) { for await (const y of x) {} }', ['for await']],
  ['const m = import("./x.ts");', ['import()']],
  ['const r = Math.random();', ['Math.random']],
  ['const d = import.meta.dirname;', ['import.meta']],
  ["import { createHash, randomBytes } from 'node:crypto';", ['node:crypto randomBytes']],
  ["import * as c from 'node:crypto';", ['node:crypto *']],
];

const PURE = [
  '// process.env and Date.now() in a comment',
  'const text = "await console.log(process.argv)";',
  'const a = call.process;',
  'const b = { process: 1, console() { return 1; } };',
  'type T = { process: string; now: Date };',
  'function f(x: typeof process) { return x; }',
  'const then = new Date(0);',
  'const iso = new Date(now).toISOString();',
  "import { createHash } from 'node:crypto';",
  'const n = Math.max(1, 2);',
];

describe('findImpurities', () => {
  it.each(IMPURE)('finds it in %s', (code, found) => {
    expect(findImpurities(code)).toEqual(found);
  });

  it.each(PURE)('finds nothing in %s', (code) => {
    expect(findImpurities(code)).toEqual([]);
  });
});
