import { applyEdits, elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';

/** Where a batch's results are, behind any base path. */
const RESULTS = /\/v1\/messages\/batches\/[^/?#]+\/results(\?[^#]*)?$/;

/**
 * What is told of a batch, or of many, with its results at another place: clients fetch them from where they are told to, which would lead
 * past us.
 *
 * @param text the body of the answer; what is no JSON, or tells of no results, stays as it is
 * @param base URL that takes the place of the API's, without a slash at its end
 */
export function moveResults(text: string, base: string): string {
  const whole = wholeOf(text);
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const body = membersOf(text, whole);
  const listed = body?.get('data');
  const batches: readonly TextSpan[] = [whole, ...(elementsOf(text, listed) ?? [])];
  const edits = batches.flatMap((batch) => {
    const span = membersOf(text, batch)?.get('results_url');
    const path = RESULTS.exec(stringOf(text, span) ?? '')?.[0];
    return span === undefined || path === undefined ? [] : { ...span, text: JSON.stringify(base + path) };
  });
  return applyEdits(text, edits);
}
