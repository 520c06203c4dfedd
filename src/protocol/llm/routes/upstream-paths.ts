/** Where an API's paths have its version, and which of them have one. */
interface Versioned {
  readonly version: string;
  /** What the first part of a path behind the version may be. */
  readonly resources: ReadonlySet<string>;
  /** Has a base URL with this path the version in it already? */
  readonly isIn: (base: string) => boolean;
  /** Nobody knows whether it belongs behind such a base URL. */
  readonly isDoubtful: (base: string) => boolean;
}

/** A part of a path that is a version: `v1`, `v1beta`, `v4`. */
const VERSION = String.raw`\/v\d+[a-z]*\d*`;

const BEGINNING = new RegExp(`^(${VERSION})(?=/|$)`, 'i');
const WITH_UPLOAD = new RegExp(`^/(?:up|down)load${VERSION}/`, 'i');
const AT_END = new RegExp(`${VERSION}$`, 'i');
const ANYWHERE = new RegExp(`${VERSION}(?=/|$)`, 'i');

const ANTHROPIC: Versioned = {
  version: '/v1',
  resources: new Set(['messages', 'models', 'files', 'skills']),
  isIn: (base) => AT_END.test(base),
  isDoubtful: () => false,
};

const OPENAI: Versioned = {
  version: '/v1',
  resources: new Set(
    'audio batches chat completions containers embeddings files fine_tuning images models moderations uploads vector_stores videos'.split(
      ' ',
    ),
  ),
  // A base URL with any path is the whole one, as its SDKs want it.
  isIn: (base) => base !== '',
  // Most servers have one; some have their API at the root.
  isDoubtful: (base) => base === '',
};

const GEMINI: Versioned = {
  version: '/v1beta',
  resources: new Set(['models', 'tunedmodels', 'cachedcontents', 'files', 'filesearchstores', 'operations']),
  isIn: (base) => AT_END.test(base) || /\/(?:projects|publishers)\//.test(base),
  isDoubtful: () => false,
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
  if (WITH_UPLOAD.test(rest)) return [`${base.replace(AT_END, '')}${rest}`];
  const said = BEGINNING.exec(rest)?.[1];
  if (said !== undefined) {
    // What the base URL says counts: it was configured.
    const isTwice = versioned === OPENAI ? ANYWHERE.test(base) : AT_END.test(base);
    return [isTwice ? `${base}${rest.slice(said.length)}` : asItCame];
  }
  const first = rest.split('/', 2)[1]?.toLowerCase() ?? '';
  const resource = /^[a-z_]*/.exec(first)?.[0] ?? '';
  if (!versioned.resources.has(resource)) return [asItCame];
  const withVersion = `${base}${versioned.version}${rest}`;
  if (versioned.isDoubtful(base)) return [withVersion, asItCame];
  return [versioned.isIn(base) ? asItCame : withVersion];
}
