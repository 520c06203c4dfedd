import { METADATA_HOSTS, PERSISTENT_PATH_PARTS, SECRET_PATH_PARTS, TOP_LEVEL_DOMAINS } from '../words/paths.ts';
import { NO_CONCEPTS, toConceptSet, union, type ConceptSet } from './concepts.ts';
import type { Vocabulary } from './vocabulary.ts';

/** An identifier of a program, of which no more is known. */
export const IDENT = toConceptSet(['ident']);

const SET = {
  url: toConceptSet(['url']),
  email: toConceptSet(['email']),
  number: toConceptSet(['number']),
  path: toConceptSet(['path']),
  sample: toConceptSet(['path', 'samplefile']),
  secretpath: toConceptSet(['secretpath', 'path']),
  secretword: toConceptSet(['secretword']),
  metadata: toConceptSet(['secretpath', 'url']),
  persist: toConceptSet(['persist', 'path']),
  ident: IDENT,
} as const;

const LETTERS_OF_LONGEST_KNOWN_CHUNK = 200;

/** The concepts of a chunk that is no plain word: a path, an address, an identifier. */
export function conceptsOfChunk(word: string, vocabulary: Vocabulary): ConceptSet {
  const chunk = word.slice(0, LETTERS_OF_LONGEST_KNOWN_CHUNK);
  const isAddress = chunk.includes('@') || chunk.includes('://') || chunk.startsWith('www.');
  if (!isAddress && isSample(word)) return SET.sample;
  const code = chunk.charCodeAt(0);
  const isNumber = (code >= 48 && code <= 57) || code === 43;
  if ((isNumber && chunk.length > 5) || isAccount(chunk)) return SET.number;
  const hasDot = chunk.includes('.');
  const hasSlash = chunk.includes('/') || chunk.includes('\\');
  if (!hasDot && !hasSlash && !chunk.includes('_') && !chunk.includes('@') && !chunk.includes(':')) return NO_CONCEPTS;
  if (METADATA_HOSTS.some((host) => chunk.includes(host))) return SET.metadata;
  if (chunk.startsWith('http') && chunk.includes('://')) return SET.url;
  if (PERSISTENT_PATH_PARTS.some((part) => hasPart(chunk, part))) {
    const isSecret = !isHarmless(chunk) && SECRET_PATH_PARTS.some((part) => hasPart(chunk, part));
    return isSecret ? union(SET.persist, SET.secretpath) : SET.persist;
  }
  if (isHarmless(chunk)) return SET.path;
  if (isDotEnv(chunk) || SECRET_PATH_PARTS.some((part) => hasPart(chunk, part))) return SET.secretpath;
  const at = chunk.indexOf('@');
  if (at > 0 && chunk.indexOf('.', at) > at) return SET.email;
  if (chunk.includes('://')) return SET.url;
  if (hasDot && isHost(chunk)) return SET.url;
  if (chunk.startsWith('/') || chunk.startsWith('~') || chunk.startsWith('./') || chunk.startsWith('c:\\')) return SET.path;
  if (chunk.includes('_') && !hasSlash)
    return SECRET_NAMES.some((name) => chunk.includes(name)) ? union(SET.ident, SET.secretword) : SET.ident;
  return conceptsOfParts(chunk, vocabulary);
}

/** Files beside secret ones that hold no secrets. */
const HARMLESS: readonly string[] = ['.aws/config', '/known_hosts', 'authorized_keys', '.pub'];

function isHarmless(chunk: string): boolean {
  return HARMLESS.some((end) => chunk.endsWith(end));
}

/** Endings of files that only show the form of the real one. */
const SAMPLES: readonly string[] = ['.sample', '.template', '.dist', '.tpl', '.tmpl'];
/** `.env.example` is a file, and `mail.example` a host. */
const EXAMPLE_FILE = /^\.|[/\\_]|env|config|settings|json|ya?ml|toml|ini/;

function isSample(word: string): boolean {
  if (word.endsWith('.example')) return EXAMPLE_FILE.test(word);
  return SAMPLES.some((sample) => word.endsWith(sample));
}

const SECRET_NAMES: readonly string[] = ['secret', 'password', 'credential', 'private_key', 'passwd'];

/** Tells whether a chunk has the form of an account number: two letters and many digits. */
function isAccount(chunk: string): boolean {
  if (chunk.length < 14 || chunk.length > 34) return false;
  for (let index = 2; index < chunk.length; index += 1)
    if (chunk.charCodeAt(index) < 48 || chunk.charCodeAt(index) > 57) return false;
  return true;
}

/** Tells whether a chunk contains a part. A part with a dot must begin the name of a file or folder: `config.aws.region` does not match. */
function hasPart(chunk: string, part: string): boolean {
  const at = chunk.indexOf(part);
  if (at <= 0 || !part.startsWith('.')) return at !== -1;
  return '/\\~'.includes(chunk.charAt(at - 1)) || ENDINGS.has(part);
}

/** Endings of file names, which follow the name directly. */
const ENDINGS: ReadonlySet<string> = new Set(['.pem', '.p12', '.pfx', '.pth']);

/** Tells whether a chunk names a file `.env`, wherever it lies. */
function isDotEnv(chunk: string): boolean {
  return (
    chunk === '.env' ||
    chunk.startsWith('.env.') ||
    chunk.includes('/.env.') ||
    chunk.endsWith('/.env') ||
    chunk.includes('/.env/') ||
    chunk === '*.env' ||
    chunk.endsWith('\\.env')
  );
}

function isHost(chunk: string): boolean {
  const slash = chunk.indexOf('/');
  const host = slash === -1 ? chunk : chunk.slice(0, slash);
  const dot = host.lastIndexOf('.');
  return dot > 0 && TOP_LEVEL_DOMAINS.has(host.slice(dot + 1));
}

/** The joint concepts of a chunk's parts, as in `read/write` and `and:ignore`. */
function conceptsOfParts(chunk: string, vocabulary: Vocabulary): ConceptSet {
  let set: ConceptSet = NO_CONCEPTS;
  for (const part of chunk.split(/[^\p{L}\p{N}']+/u, 4)) set = union(set, vocabulary.look(part).concepts);
  return set;
}
