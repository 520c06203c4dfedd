/** The versions in an API's paths. */
interface Versioned {
  readonly version: string;
  /** The possible first segments of a path after the version. */
  readonly resources: ReadonlySet<string>;
  /** Matches a base path that contains the version, so that a second one is superfluous. */
  readonly has: RegExp;
  /** Matches a base path that needs no version after it. */
  readonly needsNone: RegExp;
  /** True if most servers have a version at the root of a host, and some have none. */
  readonly isDoubtfulAtRoot?: true;
}

/** Match a version at the beginning of a path, or after the folder of uploads and downloads. */
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
    `audio batches chat completions containers embeddings files fine_tuning images models moderations responses uploads
    vector_stores videos`.split(/\s+/),
  ),
  has: /\/v\d+[a-z]*\d*(?:\/|$)/i,
  // A base URL with a path is complete, as the API's SDKs expect.
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
 * Returns the path to request at a provider. Programs, and the people who configure them, use a base URL with the API's version or without;
 * both give the API's actual path. If it is unknown whether the API has a version, a second path is returned, to be tried if the first is
 * not found.
 *
 * @param base path of the provider's base URL, without a trailing slash
 * @param rest path after the URL that replaces it, as it was sent
 */
export function upstreamPaths(dialect: string, base: string, rest: string): readonly [string, string?] {
  const versioned = BY_DIALECT[dialect];
  const asItCame = `${base}${rest}`;
  if (versioned === undefined) return [asItCame];
  const { version, resources, has, needsNone, isDoubtfulAtRoot = false } = versioned;
  if (WITH_FOLDER.test(rest)) return [`${base.replace(/\/v1[a-z]*\d*$/i, '')}${rest}`];
  // The version in the base URL wins, since it was configured.
  if (BEGINNING.test(rest)) return [has.test(base) ? `${base}${rest.replace(BEGINNING, '')}` : asItCame];
  const [resource = ''] = /^[a-z_]*/.exec(rest.slice(1).toLowerCase()) ?? [];
  if (!resources.has(resource) || needsNone.test(base)) return [asItCame];
  const made = `${base}${version}${rest}`;
  return base === '' && isDoubtfulAtRoot ? [made, asItCame] : [made];
}
