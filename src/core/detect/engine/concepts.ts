/** The meanings of words: at most four times `BITS`. */
export const CONCEPTS = [
  // Cancelling the model's earlier instructions.
  'override',
  'undo',
  'prior',
  'instr',
  'words',
  'sysprompt',
  'safety',
  'check',
  'void',
  // Another identity, mode or task.
  'younow',
  'adopt',
  'persona',
  'mode',
  'newtask',
  'grant',
  // Hiding things from people.
  'user',
  'tell',
  'show',
  'neg',
  'ban',
  'hidden',
  'keep',
  'hush',
  'aware',
  'ask',
  // The things taken.
  'secretpath',
  'secretword',
  'token',
  'conv',
  'full',
  'data',
  'personal',
  'files',
  'envvar',
  // The actions on them.
  'read',
  'send',
  'put',
  'steal',
  'run',
  'modify',
  'remove',
  'away',
  'place',
  'decode',
  'store',
  'pay',
  'click',
  // Commands.
  'shellcmd',
  'pipe',
  'shell',
  'danger',
  'append',
  'path',
  'url',
  'email',
  'number',
  // The form of the order.
  'must',
  'please',
  'important',
  'before',
  'when',
  'always',
  'lead',
  'third',
  'imp',
  'also',
  'now',
  'youself',
  // Tools.
  'tool',
  'other',
  'instead',
  'over',
  'prefer',
  'only',
  'own',
  'sibling',
  'foreign',
  'ident',
  'othertool',
  'param',
  'output',
  'answer',
  // Circumstances.
  'regardless',
  'excuse',
  'detail',
  'crash',
  'without',
  'confirm',
  'autoyes',
  'call',
  'human',
  'memory',
  'enter',
  'persist',
  'future',
  'ai',
  'note',
  'follow',
  'system',
  // Marks.
  'this',
  'request',
  'command',
  'impersonal',
  'colon',
  'banner',
  'tagorder',
  'tagchat',
  'comment',
  'todo',
  // The person spoken to, and the topic.
  'asked',
  'reader',
  'already',
  'silence',
  'success',
  'playdown',
  'ambient',
  'outlet',
  'repeat',
  'stranger',
  'outrank',
  // The voice of documentation, and of tools that guard.
  'example',
  'samplefile',
  'link',
  'guard',
  // Places nearby, quoted names, and addressees.
  'kept',
  'quoted',
  'addressed',
] as const;

export type Concept = (typeof CONCEPTS)[number];

const BITS = 32;
const BIT_OF: ReadonlyMap<string, number> = new Map(CONCEPTS.map((concept, bit) => [concept, bit]));

/** A set of concepts, in four numbers of 32 bits. */
export interface ConceptSet {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

export const NO_CONCEPTS: ConceptSet = { a: 0, b: 0, c: 0, d: 0 };

/** The set of these concepts. Throws for an unknown name, since rules and words are written by us. */
export function toConceptSet(names: readonly string[]): ConceptSet {
  const words = [0, 0, 0, 0];
  for (const name of names) {
    const bit = BIT_OF.get(name);
    if (bit === undefined) throw new Error(`"${name}" is no concept`);
    const index = Math.floor(bit / BITS);
    words[index] = (words[index] ?? 0) | (1 << (bit % BITS));
  }
  const [a = 0, b = 0, c = 0, d = 0] = words;
  return { a, b, c, d };
}

export function union(one: ConceptSet, other: ConceptSet): ConceptSet {
  return { a: one.a | other.a, b: one.b | other.b, c: one.c | other.c, d: one.d | other.d };
}

/** Tells whether two sets have a concept in common. */
export function meets(one: ConceptSet, other: ConceptSet): boolean {
  return ((one.a & other.a) | (one.b & other.b) | (one.c & other.c) | (one.d & other.d)) !== 0;
}

export function isEmpty(set: ConceptSet): boolean {
  return (set.a | set.b | set.c | set.d) === 0;
}

/** @param weights of all concepts, in the order of `CONCEPTS`. @returns the sum of a set's weights */
export function weightOf({ a, b, c, d }: ConceptSet, weights: readonly number[]): number {
  return (
    weightOfBits(a, 0, weights) +
    weightOfBits(b, BITS, weights) +
    weightOfBits(c, 2 * BITS, weights) +
    weightOfBits(d, 3 * BITS, weights)
  );
}

function weightOfBits(bits: number, from: number, weights: readonly number[]): number {
  let sum = 0;
  for (let left = bits; left !== 0; left &= left - 1) sum += weights[from + BITS - 1 - Math.clz32(left & -left)] ?? 0;
  return sum;
}
