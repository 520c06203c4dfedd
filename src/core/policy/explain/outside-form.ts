import type { PathGlobs } from '../compile-matcher.ts';
import type { MatchContext } from '../match-context.ts';
import { findOutside } from '../match-path.ts';
import { readAs } from './read-as.ts';

/** Of more forms that are outside, nobody looks for the likeliest. */
const MOST_FORMS = 8;

/**
 * What `findOutside` finds, or of several such forms the one that is most likely meant: `~` may be the name of a folder, and rarely is.
 */
export function outsideForm(globs: PathGlobs, text: string, context: MatchContext): string | undefined {
  const forms = context.forms(text);
  const found: string[] = [];
  let { certain } = forms;
  while (found.length < MOST_FORMS) {
    const left = certain === undefined ? forms : { ...forms, certain };
    const form = findOutside(globs, text, { ...context, forms: () => left });
    if (form === undefined) break;
    found.push(form);
    // Where links lead is no form of its own that could be passed over.
    if (certain?.includes(form) !== true) break;
    certain = certain.filter((each) => each !== form);
  }
  return found.find((form) => !readAs(text, form, context).includes('folder_name')) ?? found[0];
}
