/** Where an API's paths have its version. */
interface Versioned {
  readonly version: string;
  /** What the first part of a path behind the version may be. */
  readonly resources: ReadonlySet<string>;
  /** A base path that has the version, so that another one behind it is one too many. */
  readonly has: RegExp;
  /** A base path behind which no version is put. */
  readonly needsNone: RegExp;
  /** At the root of a host, most servers have a version, and some have none. */
  readonly isDoubtfulAtRoot?: true;
}

/** A version at the beginning of a path, or behind what uploads and downloads begin with. */
const BEGINNING = /^\/v\d+[a-z]*\d*(?=\/|$)/i;
const WITH_FOLDER = /^\/(?:up|down)load\/v\d+[a-z]*\d*\//i;

const ANTHROPIC: Versioned = {
  version: '/v1',
  resources: new Set(['messages', 'models', 'files', 'skills']),
  has: /\/v1$/i,
  needsNone: /\/v1$/i,
};

const OPENAI: Versioned = {
  version: '/v1',
  resources: new Set(
    `audio batches chat completions containers embeddings files fine_tuning images models moderations uploads vector_stores
    videos`.split(/\s+/),
  ),
  has: /\/v\d+[a-z]*\d*(?:\/|$)/i,
  // With any path it is the whole one, as the API's SDKs want it.
  needsNone: /./,
  isDoubtfulAtRoot: true,
};

const GEMINI: Versioned = {
  version: '/v1beta',
  resources: new Set(['models', 'tunedmodels', 'cachedcontents', 'files', 'filesearchstores', 'operations']),
  has: /\/v1(?:(?:alpha|beta)\d*)?$/i,
  needsNone: /\/v1(?:(?:alpha|beta)\d*)?$|\/(?:projects|publishers)\//i,
};

const BY_DIALECT: Readonly<Record<string, Versioned>> = { anthropic: ANTHROPIC, openai: OPENAI, gemini: GEMINI };

/**
 * The path to ask a provider by. Programs take a base URL as one with the API's version or as one without, and so do the people who configure
 * it: both spellings come to the path that the API has. Where nobody knows whether it has a version, there is a second one, to be
 * asked where the first is not found.
 *
 * @param base path of the provider's base URL, without a slash at its end
 * @param rest path behind the URL that takes its place, as it was sent
 */
export function upstreamPaths(dialect: string, base: string, rest: string): readonly [string, string?] {
  const versioned = BY_DIALECT[dialect];
  const asItCame = `${base}${rest}`;
  if (versioned === undefined) return [asItCame];
  const { version, resources, has, needsNone, isDoubtfulAtRoot = false } = versioned;
  if (WITH_FOLDER.test(rest)) return [`${base.replace(/\/v1[a-z]*\d*$/i, '')}${rest}`];
  // What the base URL says counts: it was configured.
  if (BEGINNING.test(rest)) return [has.test(base) ? `${base}${rest.replace(BEGINNING, '')}` : asItCame];
  const [resource = ''] = /^[a-z_]*/.exec(rest.slice(1).toLowerCase()) ?? [];
  if (!resources.has(resource) || needsNone.test(base)) return [asItCame];
  const made = `${base}${version}${rest}`;
  return base === '' && isDoubtfulAtRoot ? [made, asItCame] : [made];
}
