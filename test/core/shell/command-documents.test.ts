import { describe, expect, it } from 'vitest';
import { withoutEscapes, withoutTextDocuments } from '../../../src/core/shell/command-documents.ts';

describe('withoutTextDocuments', () => {
  it.each([
    ["cat > a <<'E'\nx y\nE\nls", 'cat > a \nE\nls'],
    ['cat <<E\n\tx\nE', 'cat \nE'],
    ['git commit -m "$(cat <<\'E\'\nx\nE\n)"', 'git commit -m "$(cat \nE\n)"'],
  ])('leaves out what is only written: %j', (text, rest) => {
    expect(withoutTextDocuments(text)).toBe(rest);
  });

  it.each([
    ["bash <<'E'\nx\nE"],
    ["cat <<'E' | sh\nx\nE"],
    ['cat <<E\n$(x)\nE'],
    ['python3 - <<E\nx\nE'],
    ['cat <<< x'],
    ['a << b'],
    ['a'],
  ])('keeps what runs: %j', (text) => {
    expect(withoutTextDocuments(text)).toBe(text);
  });
});

describe('withoutEscapes', () => {
  it.each([
    [String.raw`cat $'\x2eenv'`, "cat '.env'"],
    [String.raw`cat $'\056\u0065nv'`, "cat '.env'"],
    [String.raw`$'a\tb\'c'`, "'a b c'"],
    ['echo $x', 'echo $x'],
  ])('%j', (text, plain) => {
    expect(withoutEscapes(text)).toBe(plain);
  });
});
