/** As nearly all names are: nothing to look at any further. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

const BLANK_END = /^\s|\s$/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Joiners between, and variation selectors behind, what is no ASCII: some scripts and emoji are written with them. */
const NEEDED =
  /(?<=[^\0-\x7f\p{Default_Ignorable_Code_Point}])(?:[\ufe00-\ufe0f]?[\u200c\u200d](?=[^\0-\x7f\p{Default_Ignorable_Code_Point}])|[\ufe00-\ufe0f])/gu;

/**
 * What letters and digits look like, where another script or another case has them: each line a letter and what looks like it. After
 * the confusables of Unicode Technical Standard 39, for what is common in fonts; capitals and small letters of Greek and Cyrillic apart,
 * since they don't look alike where those of Latin do (`Ν` is an N, `ν` is a v).
 */
const LOOK_ALIKES = [
  ['a', 'АаΑαɑ'],
  ['b', 'ВвΒβЬьƄ'],
  ['c', 'СсϹϲᴄ'],
  ['d', 'ԀԁɗԂ'],
  ['e', 'ЕеΕεЁёЄєҽɛ'],
  ['f', 'Ϝϝẝꞙ'],
  ['g', 'Ԍԍɡɢ'],
  ['h', 'НнΗҺһհ'],
  ['j', 'Јјϳ'],
  ['k', 'КкΚκĸ'],
  // One that looks like any of I, l, i and 1 looks like all of them, since case is no difference.
  ['l', 'i1|ІіΙιӀӏıɩłƖǀ'],
  ['m', 'МмΜ'],
  ['n', 'Νпηո'],
  ['o', '0ОоΟοσØøօ'],
  ['p', 'РрΡρϱ'],
  ['q', 'Ԛԛգ'],
  ['r', 'гɾ'],
  ['s', 'Ѕѕꜱ'],
  ['t', 'ТтΤτ'],
  ['u', 'υμսʋ'],
  ['v', 'νѴѵ'],
  ['w', 'Ԝԝωѡ'],
  ['x', 'ХхΧχ×'],
  ['y', 'УуΥγүҮʏ'],
  ['z', 'Ζζᴢ'],
  ['3', 'ЗзӠӡƷʒ'],
] as const;

const LOOKS: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.flatMap(([letter, alike]) => Array.from(alike, (other): [string, string] => [other, letter])),
);

/** What parts words, what marks letters, and what nobody sees. */
const DROPPED = /[\s._\p{Pd}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u0300-\u036f]/gu;

/** What may look like another or be dropped; nothing else changes but for its case. */
const LOOKS_ODD = /[^a-hj-z2-9]/u;

/** Of names of nothing else, which are most, little looks like anything else. */
const PRINTABLE = /^[\x20-\x7e]*$/;
const PARTS_WORDS = /[ ._-]/g;

/**
 * What a name looks like at a glance: two names of one fold look alike. Letters of Latin, Greek and Cyrillic that look the same, small or
 * capital, wide or narrow, with or without marks, are one, and so are o and 0, and i, l and 1; what parts words and what
 * can't be seen is dropped. The fold of a fold is itself. Empty for a name of nothing else.
 */
export function foldName(name: string): string {
  if (!LOOKS_ODD.test(name)) return name;
  if (PRINTABLE.test(name)) return name.toLowerCase().replace(PARTS_WORDS, '').replace(/[i1|]/g, 'l').replaceAll('0', 'o');
  let fold = '';
  // Before letters are taken apart and case is folded, which makes of some what looks otherwise; and after, for what comes out.
  const looks = Array.from(name, (letter) => LOOKS.get(letter) ?? letter).join('');
  for (const letter of looks.normalize('NFKD').replace(DROPPED, '')) {
    const small = LOOKS.get(letter) ?? letter.toLowerCase();
    fold += LOOKS.get(small) ?? small;
  }
  return fold.normalize('NFKD').replace(DROPPED, '');
}

/**
 * What makes the name of a tool or prompt one that servers, or people, may take for another; undefined for all others. A server that trims names
 * runs `bash` where `bash ` was decided on, and who is asked about `bash` with a character in it that nobody sees, reads `bash`.
 */
export function nameProblem(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined;
  if (BLANK_END.test(name)) return 'white space at an end of the name';
  if (CONTROL.test(name)) return 'a control character in the name';
  return UNSEEN.test(name.replace(NEEDED, '')) ? 'a character in the name that nobody sees' : undefined;
}
