/** Matches a plain name, as nearly all are. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

const BLANK_END = /^\s|\s$/;

/**
 * Letters and digits with their look-alikes of another script or another case. After the confusables of Unicode Technical Standard 39, as
 * far as common fonts show them; capitals and small letters of Greek and Cyrillic are listed separately, since they differ where Latin ones
 * look alike (`Ν` is an N, `ν` is a v).
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
  // A look-alike of any of I, l, i and 1 counts for all of them, since case is ignored.
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

/** Matches characters that folding may change: look-alikes, dropped ones, and capitals. */
const LOOKS_ODD = /[^a-hj-z2-9]/u;

/** Matches printable ASCII, in which little looks like anything else; most names are such. */
const PRINTABLE = /^[\x20-\x7e]*$/;
const PARTS_WORDS = /[ ._-]/g;

/**
 * Folds a name to its look: two names of one fold look alike. Latin, Greek and Cyrillic letters of the same look, small or capital, wide or
 * narrow, with or without marks, become one, and so do o and 0, and i, l and 1; separators and invisible characters are dropped. The fold
 * of a fold is itself. Empty for a name of nothing else.
 */
export function foldName(name: string): string {
  if (!LOOKS_ODD.test(name)) return name;
  if (PRINTABLE.test(name)) return name.toLowerCase().replace(PARTS_WORDS, '').replace(/[i1|]/g, 'l').replaceAll('0', 'o');
  // Separators of words, marks of letters, and invisible characters.
  const dropped = /[\s._\p{Pd}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u0300-\u036f]/gu;
  let fold = '';
  // Applied before letters are decomposed and case is folded, which changes some looks; and after, for the results.
  const looks = Array.from(name, (letter) => LOOKS.get(letter) ?? letter).join('');
  for (const letter of looks.normalize('NFKD').replace(dropped, '')) {
    const small = LOOKS.get(letter) ?? letter.toLowerCase();
    fold += LOOKS.get(small) ?? small;
  }
  return fold.normalize('NFKD').replace(dropped, '');
}

/**
 * The reason why servers or people may take the name of a tool or prompt for another; undefined for all others. A server that trims names
 * runs `bash` where `bash ` was decided, and a person who is asked about `bash` with an invisible character reads `bash`.
 */
export function nameProblem(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined;
  if (BLANK_END.test(name)) return 'white space at an end of the name';
  // These stand here, since parsing properties of Unicode takes milliseconds, and most processes meet only plain names.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'a control character in the name';
  // Joiners between, and variation selectors behind, characters other than ASCII: some scripts and emoji need them.
  const needed =
    /(?<=[^\0-\x7f\p{Default_Ignorable_Code_Point}])(?:[\ufe00-\ufe0f]?[\u200c\u200d](?=[^\0-\x7f\p{Default_Ignorable_Code_Point}])|[\ufe00-\ufe0f])/gu;
  return /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u.test(name.replace(needed, ''))
    ? 'a character in the name that nobody sees'
    : undefined;
}
