import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, readSource, ROOT } from './source.ts';

/** Openings that leave the subject of a comment to be guessed. */
const HIDES_SUBJECT = /^(?:Of|What|Is|Where|Does|Has|Whose|That|Beyond)\b/;

/** Words a sentence may have, in the mean of a page. */
const MEAN_WORDS = 20;

describe('comments', () => {
  it.each([
    ['/** Of other blocks nobody knows. */', ['Of other blocks nobody knows.']],
    ['/**\n * Is told the parts.\n * @param part one\n */', ['Is told the parts.']],
    ['// What is left.\n// More of it.', ['What is left.']],
    ["const a = '// What is quoted';", []],
    ['/** Receives the parts. */', []],
  ])('%j', (source, hidden) => {
    expect(openingsOf(source).filter((text) => HIDES_SUBJECT.test(text))).toEqual(hidden);
  });

  it('name their subject', () => {
    const hidden = listFiles('src', '.ts', '.tsx').flatMap((file) =>
      openingsOf(readSource(file)).flatMap((text) => (HIDES_SUBJECT.test(text) ? [`${file}: ${text}`] : [])),
    );
    expect(hidden).toEqual([]);
  });
});

describe('docs', () => {
  it('measures sentences without code, tables and headings', () => {
    expect(wordsOfSentences('# A title\n\nOne two three. Four `five six` seven!\n\n| a | b |\n\n```sh\nx y z\n```\n')).toEqual([
      3, 3,
    ]);
  });

  const pages = ['.', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
  );

  it.each(pages)('%s has short sentences', (page) => {
    const words = wordsOfSentences(readSource(page));
    const mean = words.reduce((sum, count) => sum + count, 0) / Math.max(words.length, 1);
    expect(mean).toBeLessThanOrEqual(MEAN_WORDS);
  });
});

/** Returns how each comment of a source begins: block comments, and the first line of line comments that follow each other. */
function openingsOf(source: string): readonly string[] {
  const lines = source.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line.startsWith('/**')) {
      const text = line === '/**' ? (lines[index + 1] ?? '').replace(/^\*\s*/, '') : line.replace(/^\/\*\*\s*/, '');
      return [text.replace(/\s*\*\/$/, '')];
    }
    const isFirst = line.startsWith('//') && !(lines[index - 1]?.startsWith('//') ?? false);
    return isFirst ? [line.replace(/^\/\/\s*/, '')] : [];
  });
}

/** Returns the number of words in each sentence of a page; a code span counts as one word, and list items end a sentence. */
function wordsOfSentences(markdown: string): readonly number[] {
  const prose = markdown
    .replace(/```[\s\S]*?```/g, '\n\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(?:#.*|\|.*|!\[.*|<.*)$/gm, '\n')
    .replace(/^\s*(?:[-*]|\d+\.)\s+/gm, '\n\n')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']');
  return prose
    .split(/\n\s*\n|(?<=[.!?:;])\s+/)
    .map((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length)
    .filter((count) => count > 0);
}
