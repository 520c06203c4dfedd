import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'clawai-large-'));
const SIZE = 20_000_000;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What one edit of a state file takes that has so much history in each of a hundred projects. */
function measure(name: string, history: unknown): { memory: number; edits: number; bytes: number } {
  const file = join(folder, name);
  const project = { mcpServers: { a: { command: 'npx', args: ['-y', 'a'] }, b: { command: 'uvx' } }, history };
  const projects = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/home/u/${index}`, project]));
  writeFileSync(file, JSON.stringify({ projects, mcpServers: {} }, undefined, 2));
  return JSON.parse(
    execFileSync(process.execPath, ['--no-warnings', join(import.meta.dirname, '..', 'support', 'edit-large-config.mjs'), file], {
      encoding: 'utf8',
    }),
  );
}

describe('a config of 20 MB', () => {
  it.each([
    ['prompts', Array.from({ length: 400 }, () => ({ display: 'const x = "a";\n'.repeat(25), pastedContents: {} }))],
    // Nothing but escapes, in one string: strings put together piece by piece would take a gigabyte.
    ['escapes', '\n'.repeat(100_000)],
  ])('of %s is edited in few times its size', (name, history) => {
    const { memory, edits, bytes } = measure(name, history);
    expect(bytes).toBeGreaterThan(SIZE * 0.9);
    expect(edits).toBe(400);
    // Measured: 5 times.
    expect(memory).toBeLessThan(10 * bytes);
  });
});
