import type { Shape } from './shape.ts';

/** Members that are no words: ids, names, addresses, bytes, what is signed or encrypted, settings, and credentials for the provider. */
const OPAQUE: ReadonlySet<string> = new Set(
  (
    'id ids type role name model object status effort signature fingerprint user url urls uri uris data bytes blob audiodata filedata ' +
    'imageurl fileurl b64json mimetype mediatype thinking reasoningdetails logprobs toplogprobs include cachecontrol cachedcontent ' +
    'promptcachekey safetyidentifier servername serverlabel toolname toolchoice toolconfig allowedfunctionnames container conversation ' +
    'caller mcpservers datasources authorization authorizationtoken apikey headers'
  ).split(' '),
);

/** Matches the end of a name of an id, an address or a signature, and the beginning of one of what is encrypted. */
const OPAQUE_PART = /[_-](?:ids?|ur[il]s?|signature)$|[a-z](?:I[Dd]s?|U(?:R[IL]|r[il])s?|Signature)$|^encrypted/;

/** Most characters of a name that is looked at; longer ones are nobody's. */
const MOST_NAME = 64;

/** Tells by its name that a member has no words for a model. */
export function isOpaque(name: string): boolean {
  if (name.length > MOST_NAME) return false;
  return OPAQUE.has(name.replaceAll(/[_-]/g, '').toLowerCase()) || OPAQUE_PART.test(name);
}

/** Members that a shape does not know: each string in them is words, unless its name or one around it is opaque. */
export const UNKNOWN: Shape = { deep: 'text', skips: isOpaque };

/** A member that stays as it is, where others are `UNKNOWN`. */
export const UNTOUCHED: Shape = {};
