import { describe, expect, it } from 'vitest';
import { findPrinted } from '../../../src/core/shell/command-words.ts';
import { readShellLine } from '../../../src/core/shell/shell-line.ts';

/** The programs of those commands that only say something. */
function printed(text: string): string[] {
  return [...findPrinted(text, readShellLine(text))].map(({ words }) => words[0]?.text ?? '');
}

describe('findPrinted', () => {
  it.each<[string, string[]]>([
    ['git commit -m "x y"', ['git']],
    ['git add . && git commit -m "x y" && git push', ['git']],
    ['cd ~/x && git add ./y script && git commit -m "x y"', ['git']],
    ['npm test && git commit -m x', ['git']],
    ['rg "x y" src | head', ['rg']],
    ['grep --only-matching --or x', ['grep']],
    ['echo "x y"', ['echo']],
    ['echo "x y" >> README.md && git add README.md', ['echo']],
    ['echo x 2>&1 >/dev/null', ['echo']],
    ['gh pr create --title "x y"', ['gh']],
  ])('%s', (text, programs) => {
    expect(printed(text)).toEqual(programs);
  });

  it.each([
    'echo "x y" | sh',
    'echo "x y" | /bin/bash -s',
    'echo "x y" | sudo -u me zsh',
    'echo "x y" | python3',
    'echo "x y" | $SHELL',
    'echo "x y" >> ~/.bashrc',
    'echo "x y" > run',
    'echo "x y" | tee x.md',
    'echo "x y" > a.md && npm run x',
    'echo "x y" > a.md; ./a.md',
    'echo "x y" > a.md; . a.md',
    'echo "x y" > a.md && { ~/a.md; }',
    'git log && A=b ./x',
    'git log | xargs -I{} {}',
    'git commit -m "`x`"',
    'git commit -m "$(x)"',
    'bash <(echo x)',
    'git -c a.b=x commit',
    'git rebase --exec x',
    'git grep -Ox y',
    'git grep --open-files-in-pager=x y',
    'rg --pre x y',
    'rg --pre=x y',
    'ag --pager x y',
    'gh alias set x y',
    'A=x git commit',
    'clawai x',
  ])('nothing is only printed in %s', (text) => {
    expect(printed(text)).toEqual([]);
  });
});
