import { findGlobFault } from '../glob.ts';

/** What a URI begins with is no segment: without it there is none. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/*/;
const ONLY_WILDCARDS = /^[*?]*$/;

/**
 * What could stand where a glob stands by mistake: `*` for `**` and the other way round, no wildcard at an end, one segment less. Each is
 * another text. A segment is not dropped where only wildcards would be left: then nothing is asked any more, which is another mutation. What has
 * no star stays: any other name would only match something else, and whether anything asks for this one is told by dropping it.
 */
export function mutateGlob(pattern: string): readonly string[] {
  if (!pattern.includes('*')) return [];
  const found = new Set([...otherStars(pattern), ...barerEnds(pattern), ...fewerSegments(pattern)]);
  found.delete(pattern);
  return [...found].filter((each) => findGlobFault(each) === undefined);
}

function otherStars(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\*+/g)].map(({ 0: stars, index }) => {
    const other = stars.length === 1 ? '**' : '*';
    return pattern.slice(0, index) + other + pattern.slice(index + stars.length);
  });
}

/** Without the wildcard in front, and without that at the end; with the slash that sets it apart. */
function barerEnds(pattern: string): readonly string[] {
  return [pattern.replace(/^\*+\/?/, ''), pattern.replace(/\/?\*+$/, '')];
}

function fewerSegments(pattern: string): readonly string[] {
  const scheme = SCHEME.exec(pattern)?.[0] ?? '';
  const segments = pattern.slice(scheme.length).split('/');
  if (segments.length === 1) return [];
  return segments.flatMap((segment, index) => {
    const others = segments.toSpliced(index, 1);
    // What stands at the ends is dropped above.
    const isEnd = ONLY_WILDCARDS.test(segment) && (index === 0 || index === segments.length - 1);
    return segment === '' || isEnd || others.every((each) => ONLY_WILDCARDS.test(each)) ? [] : [scheme + others.join('/')];
  });
}
