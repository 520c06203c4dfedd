import { describe, expect, it } from 'vitest';
import { findLookalikes, foldConfusables } from '../../../../src/core/detect/normalise/fold-confusables.ts';

describe('foldConfusables', () => {
  it.each([
    ['ignоre аll', 'ignore all'],
    ['<ΙMPORTANT>', '<IMPORTANT>'],
    ['ᴀʟʟ of it', 'aʟʟ of it'.replace('aʟʟ', 'all')],
    ['reads the сору file', 'reads the copy file'],
    ['Ꭰelete it', 'Delete it'],
    ['the ꓐꓮꓢꓰ file', 'the BASE file'],
  ])('%j looks like %j', (text, folded) => {
    expect(foldConfusables(text)).toBe(folded);
  });

  it.each([
    'касса и рост',
    'Docker с Kubernetes',
    'сервер, пакет, ответ',
    'Привет, сор и Docker',
    'και το κακο',
    'kΩ and Δt and 5 μs',
    'α and β',
    '/ɪɡˈnɔːɹ/',
    'сосо',
    'Dockerами',
  ])('%j stays', (text) => {
    expect(foldConfusables(text)).toBe(text);
  });
});

describe('findLookalikes', () => {
  it('tells words that mix scripts from words of one that look like others', () => {
    expect(findLookalikes('see ignоre and ехес now')).toEqual([
      { start: 4, folded: 'ignore', isMixed: true },
      { start: 15, folded: 'exec', isMixed: false },
    ]);
  });
});
