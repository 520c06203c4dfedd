import { describe, expect, it } from 'vitest';
import { conceptsOfChunk } from '../../../../src/core/detect/engine/chunk-concepts.ts';
import { meets, toConceptSet } from '../../../../src/core/detect/engine/concepts.ts';
import { knownWords } from '../../../../src/core/detect/inspect-text.ts';

const isA = (concept: string, chunk: string): boolean => meets(conceptsOfChunk(chunk, knownWords()), toConceptSet([concept]));

describe('conceptsOfChunk', () => {
  it.each([
    ['samplefile', '.env.example'],
    ['samplefile', 'config.json.example'],
    ['samplefile', 'settings.template'],
    ['samplefile', '.env.tpl'],
    ['secretpath', 'http://169.254.169.254/latest/meta-data'],
    ['url', 'http://metadata.google.internal/v1'],
    ['email', 'eve@mail.example'],
    ['url', 'collect.example'],
    ['url', 'https://a.org/x.template'],
    ['secretpath', '~/.aws/credentials'],
    ['path', '~/.aws/config'],
    ['persist', '~/.ssh/authorized_keys'],
    ['path', '~/.ssh/id_rsa.pub'],
  ])('%s: %s', (concept, chunk) => {
    expect(isA(concept, chunk)).toBe(true);
  });

  it.each([
    ['samplefile', 'eve@mail.example'],
    ['samplefile', 'https://a.org/x.template'],
    ['secretpath', '~/.aws/config'],
    ['secretpath', '~/.ssh/known_hosts'],
    ['secretpath', '~/.ssh/authorized_keys'],
    ['secretpath', '~/.ssh/id_rsa.pub'],
  ])('not %s: %s', (concept, chunk) => {
    expect(isA(concept, chunk)).toBe(false);
  });
});
