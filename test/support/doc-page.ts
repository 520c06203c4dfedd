import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../structure/source.ts';
import { ROOT } from './run-cli.ts';

/** Pages whose files and commands belong together, from the first to the last. */
export const GUIDES = ['ask-before-a-path', 'block-a-tool', 'guard-a-database', 'policy-in-ci', 'when-something-breaks'].map(
  (name) => `docs/${name}.md`,
);

/** All others for users, whose commands stand for themselves. */
export const REFERENCES = ['README.md', ...listFiles('docs', '.md').filter((page) => !GUIDES.includes(page))];

/** A fenced block of a page. */
export interface Block {
  /** Its language, such as `sh`. */
  readonly language: string;
  /** The file that it is to be, where it names one: ```` ```toml policy.toml ````. */
  readonly file: string | undefined;
  readonly text: string;
  /** In the page, from 1: where its text begins. */
  readonly line: number;
}

/** All fenced blocks of a page, in order. @param page from the project's root on */
export function blocksOf(page: string): readonly Block[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  let open: { language: string; file: string | undefined; line: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = /^ *```(\w*) ?(\S*)/.exec(line);
    if (fence === null) continue;
    if (open === undefined) {
      const [, language = '', file = ''] = fence;
      open = { language, file: file === '' ? undefined : file, line: index + 1 };
    } else {
      const text = lines.slice(open.line, index).map((each) => `${each}\n`);
      blocks.push({ ...open, line: open.line + 1, text: text.join('') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line}: the block has no end`);
  return blocks;
}

/** The commands of a block, one a line, without their comments. */
export function commandsOf({ text }: Block): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
