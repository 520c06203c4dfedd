/** @module-tag long */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayThroughBinary } from '../support/replay-binary.ts';
import { Sandbox } from '../support/sandbox.ts';
import { readTranscript, type Scene } from '../support/transcript.ts';

const FOLDER = resolve('test', 'transcripts');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));

/** Nobody sits at a terminal to answer what the binary asks. */
function needsAPerson({ steps }: Scene): boolean {
  return steps.some(({ from }) => from === 'person');
}

describe.each(files)('%s', (file) => {
  const scenes = readTranscript(join(FOLDER, file)).filter((scene) => !needsAPerson(scene));

  it.concurrent.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    const sandbox = new Sandbox();
    try {
      expect(await replayThroughBinary(scene, sandbox)).toBeUndefined();
    } finally {
      sandbox.remove();
    }
  });
});
