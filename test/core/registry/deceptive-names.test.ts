import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../../src/core/registry/deceptive-names.ts';

describe('foldName', () => {
  it.each([
    ['read_file', 'readFile', 'read-file', 'READ_FILE', 'read.file', 'read file', 'readfile', ' read\u2013file\t'],
    // Cyrillic, Greek, wide, mathematical, Roman numerals.
    ['copy_exec', 'сору_ехес', 'СОРУ_ЕХЕС', 'ϲορу_εχεϲ', 'ｃｏｐｙ＿ｅｘｅｃ', '𝐜𝐨𝐩𝐲_𝒆𝒙𝒆𝒄', 'Ⅽopy_eⅩeⅽ'],
    [
      'list_tools',
      'Iist_toois',
      '1ist_t00ls',
      'ⅼist_tools',
      '|ist_tools',
      'LIST_TOOLS',
      'lіѕt_tооls',
      'list_to\u200bols',
      'list_\u{e0041}tools',
    ],
    ['NAME', 'ΝΑΜΕ', 'name', 'nаmе', 'na\u00adme', '\ufeffname', 'na\u034fme', 'na\ufe0fme'],
    ['run', 'rún', 'rùn', 'ru\u0308n', '\u202erun', 'ruո'],
    ['vow', 'νοω', 'νοԝ'],
    ['kill', 'Kill', '\u212aill', 'кіӏӏ'],
    ['İ', 'i', 'I', 'ı', '1'],
    ['_', '-', '', '\u200b', '...'],
  ])('%j looks like the others', (name, ...others) => {
    for (const other of others) expect([other, foldName(other)]).toEqual([other, foldName(name)]);
  });

  it('a name of plain ASCII has the fold that it has beside what is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => {
        expect(foldName(name)).toBe(foldName(`${name}\u200b`));
      }),
    );
  });

  it('names that look different stay apart', () => {
    const names = [
      'read_file',
      'read_files',
      'write_file',
      'read',
      'file_read',
      'reed_file',
      '文件',
      '文档',
      'ファイル',
      'पढ़',
      'पढ',
      '🙂',
      '🙃',
      'a+b',
      'a/b',
      'get2',
      'get3',
      'm',
      'rn',
      'b',
      'd',
      'p',
      'q',
      'n',
      'u',
    ];
    expect(new Set(names.map(foldName)).size).toBe(names.length);
  });

  it('is its own fold, in any case, however it is cut by what is not seen', () => {
    const letter = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
      fc.constantFrom('İ', 'ß', 'ſ', 'Σ', 'ǰ', 'ﬃ', '℡', 'ϒ\u0301', 'Å'),
    );
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 8 }), (letters) => {
        const fold = foldName(letters.join(''));
        expect(foldName(fold)).toBe(fold);
        expect(foldName(letters.join('\u200b'))).toBe(fold);
        expect(foldName(`_${letters.join('')}-`)).toBe(fold);
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => {
        expect(foldName(name.toUpperCase())).toBe(foldName(name));
      }),
    );
  });

  it('keeps the name of plain letters as it is', () => {
    expect(foldName('getweather')).toBe('getweather');
    expect(foldName('get_weather')).toBe('getweather');
    expect(foldName('filesystem')).toBe('fllesystem');
  });
});
