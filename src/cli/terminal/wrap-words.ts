/**
 * Breaks a text at spaces into lines no longer than `width` characters, unless one word is: words stay whole, and so does what stands in
 * backquotes where it fits on a line, since people copy it.
 */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsIn(text, width)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function wordsIn(text: string, width: number): readonly string[] {
  const words: string[] = [];
  let isQuoted = false;
  for (const word of text.split(' ')) {
    const last = words.at(-1);
    const isJoined = isQuoted && last !== undefined && last.length + 1 + word.length <= width;
    if (isJoined) words.splice(-1, 1, `${last} ${word}`);
    else words.push(word);
    if (word.split('`').length % 2 === 0) isQuoted = !isQuoted;
  }
  return words;
}
