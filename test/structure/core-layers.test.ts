import { describe, expect, it } from 'vitest';
import { importGraph } from './layers.ts';
import { listFiles, readSource } from './source.ts';

/** The folders of core, lower ones first: each imports only those before it, and the files directly in core, which all share. */
const LAYERS = [
  'patterns',
  'paths',
  'schema',
  'shell',
  'dlp',
  'registry',
  'classify',
  'detect',
  'policy',
  'flow',
  'outgoing',
  'match',
  'self',
  'decide',
];

/** The folder of core that a file is in; undefined for one directly in core. */
function layerOf(file: string): string | undefined {
  const [, , layer = '', ...rest] = file.split('/');
  return rest.length === 0 ? undefined : layer;
}

/** Each import between files of core that leads upward, e.g. `src/core/flow/a.ts imports src/core/match/b.ts`. */
function findUpward(files: ReadonlyMap<string, string>): string[] {
  const height = (file: string): number => LAYERS.indexOf(layerOf(file) ?? '');
  return [...importGraph(files)].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.startsWith('src/core/') && height(target) > height(file))
      .map((target) => `${file} imports ${target}`),
  );
}

const files = new Map(listFiles('src/core', '.ts').map((file) => [file, readSource(file)]));

describe('the folders of core', () => {
  it('are those that have a place in the order', () => {
    const layers = new Set([...files.keys()].map(layerOf).filter((layer) => layer !== undefined));
    expect([...layers].toSorted()).toEqual(LAYERS.toSorted());
  });

  it('import nothing that is above them', () => {
    expect(findUpward(files)).toEqual([]);
  });

  it.each([
    ['src/core/flow/a.ts', "import type { B } from '../match/b.ts';"],
    ['src/core/call.ts', "import { a } from './patterns/a.ts';"],
    ['src/core/self/a.ts', "const a = await import('../decide/decide.ts');"],
  ])('%s may not contain %s', (file, text) => {
    expect(findUpward(new Map([[file, text]]))).toHaveLength(1);
  });
});
