import { type Call, CATEGORIES, type Category } from '../call.ts';
import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { classify, classifyArguments } from '../classify/classify.ts';
import type { RegistryFacts } from '../facts.ts';
import type { CompiledConditions, CompiledPolicy } from './compiled-policy.ts';

/** The categories and fingerprint of what is called; categories are computed on first use. */
export interface Subject {
  /** Never empty. */
  categories(): readonly Category[];
  /** Fingerprint of the definition seen last; undefined if none was seen. */
  readonly fingerprint: string | undefined;
}

const READ: readonly Category[] = ['read'];
const UNKNOWN: readonly Category[] = ['unknown'];

/** A subject about which nothing is known. */
export const NO_SUBJECT: Subject = { categories: () => UNKNOWN, fingerprint: undefined };

/** The parts of a snapshot that decide the categories and the fingerprint. */
interface Known {
  readonly policy: Pick<CompiledPolicy, 'classify'>;
  readonly registry?: RegistryFacts;
  readonly categories?: readonly Category[];
}

/** Creates the subject of a call. Resources and prompts are read; a call without tool, resource or prompt is unknown. */
export function createSubject(call: Call, { policy, registry, categories: settled }: Known): Subject {
  let categories = settled;
  return {
    categories() {
      categories ??= classifyCall(call, { policy, registry });
      return categories;
    },
    fingerprint: registry?.fingerprint,
  };
}

/** Answers `runsCommands` of a match context from the subject's categories. */
export function runsCommands(subject: Subject): () => boolean {
  return () => subject.categories().includes('execute');
}

type Facts = Pick<Known, 'policy'> & { readonly registry: RegistryFacts | undefined };

function classifyCall(call: Call, facts: Facts): readonly Category[] {
  return addByArguments(classifySubject(call, facts), call, facts);
}

/** The categories of a call, whatever its arguments are. */
export function classifySubject({ tool, resource, prompt }: Call, { policy, registry }: Facts): readonly Category[] {
  if (tool === undefined) return resource === undefined && prompt === undefined ? UNKNOWN : READ;
  const definition = definitionOf(registry);
  const isPinned = registry?.status === 'pinned' && !registry.isServerChanged;
  const found = classify({ name: tool, ...(definition === undefined ? {} : { definition }), isPinned }, policy.classify);
  // There is a definition and it is not known, so its parameters may say anything; unless the policy says what it is.
  const isHidden = registry?.fingerprint !== undefined && definition === undefined;
  if (!isHidden || found.includes('unknown') || policy.classify.some(({ matches }) => matches(tool))) return found;
  return [...found, 'unknown'];
}

/** Adds the categories that the arguments show, unless the policy says what kind of tool it is. */
export function addByArguments(
  found: readonly Category[],
  { tool, args }: Call,
  { policy, registry }: Facts,
): readonly Category[] {
  if (tool === undefined || args === undefined) return found;
  const more = classifyArguments(tool, args, () => definitionOf(registry));
  if ([...more].every((each) => found.includes(each)) || policy.classify.some(({ matches }) => matches(tool))) return found;
  return CATEGORIES.filter((each) => found.includes(each) || more.has(each));
}

function definitionOf(registry: RegistryFacts | undefined): JsonObject | undefined {
  const text = registry?.definition();
  const value = text === undefined ? undefined : parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/**
 * Tells whether category and fingerprint match, if they are given. If a tool has several categories, a match that denies needs one of them,
 * a match that allows needs all of them to be named. A definition that nobody has seen may be any: that is a match if it denies.
 */
export function matchesSubject({ mode, categories, fingerprints }: CompiledConditions, subject: Subject): boolean {
  const isPossible = mode === 'possible';
  if (fingerprints !== undefined) {
    if (subject.fingerprint === undefined ? !isPossible : !fingerprints.includes(subject.fingerprint)) return false;
  }
  if (categories === undefined) return true;
  const isNamed = (category: Category): boolean => categories.includes(category);
  return isPossible ? subject.categories().some(isNamed) : subject.categories().every(isNamed);
}
