import { stripVTControlCharacters } from 'node:util';

/** Controls of a terminal that style nothing. */
const NO_STYLE = /\u001B\[[0-9;?]*[@-ln-~]/g;

const FONT = { size: 14, line: 20, advance: 8.43 } as const;
const PAD = { side: 20, top: 52, bottom: 16 } as const;

/** Classes of what styles of a terminal look like (SGR codes of ECMA-48: 1 bold, 2 faint, 31 to 36 colours). */
const STYLES: Readonly<Record<string, string>> = { '1': 'b', '2': 'd', '31': 'r', '32': 'g', '33': 'y', '36': 'c' };
const ENDS: Readonly<Record<string, readonly string[]>> = {
  '0': ['b', 'd', 'r', 'g', 'y', 'c'],
  '22': ['b', 'd'],
  '39': ['r', 'g', 'y', 'c'],
};

const CSS = `
text{font:${FONT.size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}
.w{fill:#ffffff;stroke:#d0d7de}.d{fill:#656d76}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}.c{fill:#0969da}.b{font-weight:700}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}
.w{fill:#0d1117;stroke:#30363d}.d{fill:#8b949e}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.c{fill:#58a6ff}
}
`.trim();

interface Run {
  readonly text: string;
  readonly classes: readonly string[];
}

/**
 * Renders what a terminal was sent as an SVG of its rows, in light and dark. It knows colours, bold and dim; other controls are left out.
 *
 * @param command what stands behind the prompt, above the output
 * @param output with ANSI escapes; rows end in LF or CR LF
 */
export function renderSvg(command: string, output: string): string {
  const rows = output.replaceAll('\r', '').replaceAll(NO_STYLE, '').trimEnd().split('\n');
  const columns = Math.max(command.length + 2, ...rows.map((row) => stripVTControlCharacters(row).length));
  const width = Math.ceil(columns * FONT.advance + 2 * PAD.side);
  const height = PAD.top + rows.length * FONT.line + PAD.bottom;
  const prompt: readonly Run[] = [
    { text: '$ ', classes: ['d'] },
    { text: command, classes: ['b'] },
  ];
  const lines = [prompt, ...parseRows(rows)].map((runs, index) => formatRow(runs, PAD.top - FONT.line + index * FONT.line));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(`Output of ${command}`)}">`,
    `<style>${CSS}</style>`,
    `<rect class="w" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...lines,
    '</svg>',
  ].join('\n')}\n`;
}

/** The texts of an SVG's rows, as `renderSvg` writes them; the first is the command's. */
export function readRows(svg: string): readonly string[] {
  return [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, row = '']) => unescapeXml(row.replaceAll(/<[^>]*>/g, '')));
}

function parseRows(rows: readonly string[]): readonly (readonly Run[])[] {
  let classes: readonly string[] = [];
  return rows.map((row) => {
    const runs: Run[] = [];
    for (const [, codes, text = ''] of row.matchAll(/(?:\u001B\[([0-9;]*)m)?([^\u001B]*)/g)) {
      for (const code of codes?.split(';') ?? []) classes = apply(code === '' ? '0' : code, classes);
      if (text !== '') runs.push({ text, classes });
    }
    return runs;
  });
}

function apply(code: string, classes: readonly string[]): readonly string[] {
  const ended = ENDS[code];
  if (ended !== undefined) return classes.filter((name) => !ended.includes(name));
  const style = STYLES[code];
  return style === undefined ? classes : [...classes, style];
}

/** One element for each row, an empty one too, so that a row can be selected and read as a line. */
function formatRow(runs: readonly Run[], y: number): string {
  const spans = runs.map(({ text, classes }) => {
    const escaped = escapeXml(text);
    return classes.length === 0 ? escaped : `<tspan class="${classes.join(' ')}">${escaped}</tspan>`;
  });
  return `<text x="${PAD.side}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function unescapeXml(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
