const START = /^<!-- generated: (\S+) -->$/;
const END = '<!-- end of generated -->';

/**
 * Replaces what stands between `<!-- generated: NAME -->` and `<!-- end of generated -->` in a page. Throws where a name is unknown, a region is
 * not closed, or there is none.
 *
 * @param texts Markdown by name, each without a newline at its end
 */
export function fillRegions(page: string, texts: Readonly<Record<string, () => string>>): string {
  const lines: string[] = [];
  const names: string[] = [];
  let isInside = false;
  for (const line of page.split('\n')) {
    const name = START.exec(line)?.[1];
    if (line === END) isInside = false;
    if (!isInside) lines.push(line);
    if (name === undefined) continue;
    const text = texts[name];
    if (text === undefined || isInside) throw new Error(`nothing generates ${name} here`);
    names.push(name);
    lines.push('', text(), '');
    isInside = true;
  }
  if (isInside) throw new Error(`the region ${names.at(-1)} has no end`);
  if (names.length === 0) throw new Error('the page has no generated region');
  return lines.join('\n');
}
