import { expect, it } from 'vitest';
import { nameProblem } from '../../../src/core/registry/deceptive-names.ts';

it.each([
  'bash',
  'read_file',
  'Send a mail',
  'a',
  '',
  'données',
  'ファイル を読む',
  'می\u200cخواهم',
  'क्\u200dष',
  '✍\ufe0f write',
  'write ✍\ufe0f',
  '👩\u200d💻',
  '❤\ufe0f\u200d🔥',
  '葛\ufe00',
])('%j is a name', (name) => {
  expect(nameProblem(name)).toBeUndefined();
});

it.each([
  ...['bash ', ' bash', '\tbash', 'bash\n', 'bash\u00a0', '\ufeffbash', 'bash\u2028', '\u3000bash', ' ', 'bash\x0b'].map(
    (name) => [name, 'white space'],
  ),
  ...['ba\0sh', 'bash\0', 'ba\nsh', 'ba\tsh', 'ba\u0085sh', 'ba\x1bsh', 'ba\u2028sh', 'bash\x7f'].map((name) => [
    name,
    'control',
  ]),
  ...[
    'bash\u200b',
    'ba\u200csh',
    'bash\u200d',
    'ba\u00adsh',
    'bash\ufe0f',
    'bash\u{e0041}',
    '\u202ebash',
    'bash\u3164',
    'bash\u2800',
  ].map((name) => [name, 'nobody sees']),
  ['é\u200d', 'nobody sees'],
  ['é\u200b', 'nobody sees'],
  ['❤\u200d\u200d🔥', 'nobody sees'],
])('%j is none: %s', (name, why) => {
  expect(nameProblem(name)).toContain(why);
});
