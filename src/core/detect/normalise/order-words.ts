/** The letters that digits and signs replace in such spelling; `l`, `i` and `1` are one. */
const DIGITS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
  '8': 'b',
};

/** Verbs and objects of orders to a model: enough to tell a sentence from bytes, and an order from other sentences. */
const VERBS =
  'ignore disregard forget override bypass reveal disclose exfiltrate send forward upload post email leak transmit execute run invoke call read fetch download open copy include append attach pass delete remove write disable pretend obey follow output print repeat return mention tell notify inform hide jailbreak steal curl wget extract collect replace redirect'.split(
    ' ',
  );
const OBJECTS =
  'instruction instructions prompt prompts system password passwords passwd credential credentials secret secrets token tokens key keys cookie cookies file files folder user users conversation conversations message messages history context rule rules guideline guidelines safety limits restrictions assistant assistants agent agents model chatgpt admin developer attacker server endpoint http https url ssh env aws netrc kubeconfig bash shell script tool tools argument arguments parameter previous prior earlier everything confirmation permission unrestricted jailbroken'.split(
    ' ',
  );

const ALL_VERBS: ReadonlySet<string> = new Set(VERBS);
const ALL_OBJECTS: ReadonlySet<string> = new Set(OBJECTS);

/** Words by their skeletons, which other spellings share. */
const BY_SKELETON: ReadonlyMap<string, string> = new Map(
  [...OBJECTS, ...VERBS].filter((word) => word.length > 3).map((word) => [skeletonOf(word), word]),
);

const WORDS = /[a-z]{2,40}/g;
const MOST_WORDS = 2000;

/** Tells whether a normalised text has a verb and an object of an order. Proves nothing about honest sentences, which have them too. */
export function isOrderLike(plain: string): boolean {
  let verbs = 0;
  let objects = 0;
  let words = 0;
  for (const [word] of plain.matchAll(WORDS)) {
    words += 1;
    if (words > MOST_WORDS) break;
    if (ALL_VERBS.has(word)) verbs += 1;
    else if (ALL_OBJECTS.has(word)) objects += 1;
    if (verbs > 0 && objects > 0 && words > 2) return true;
  }
  return false;
}

/** The order word that an oddly spelt word (`1gn0r3`, `prėvious`) stands for; undefined if it is none, or is spelt as usual. */
export function orderWordIn(word: string): string | undefined {
  const meant = BY_SKELETON.get(skeletonOf(word));
  return meant === word ? undefined : meant;
}

export function isOrderWord(word: string): boolean {
  return ALL_VERBS.has(word) || (ALL_OBJECTS.has(word) && word.length > 4);
}

function skeletonOf(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[0134578!|l@$+]/g, (sign) => DIGITS[sign] ?? sign);
}
