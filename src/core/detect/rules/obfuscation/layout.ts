import { isOrderLike } from '../../normalise/order-words.ts';
import { findInRuns, Runs } from '../../normalise/runs.ts';
import { detection, type FindHiding, type HidingFinding, type Place, type Seen } from './finding.ts';

/** Finds layout that hides text from a reader: far away, in comments, in elements that are not shown. */
export const findLayout: FindHiding = (seen) => {
  const findings = [pushedAway(seen), comments(seen), unseenMarkup(seen)];
  return findings.filter((finding) => finding !== undefined).map((finding) => detection(seen, finding));
};

/** Matches line ends that fill a window, or blanks that fill a line. */
const GAP = /(?:[ \t\u00a0]{0,64}[\r\n]){24,4096}|[ \t\u00a0\u2000-\u200a\u3000]{160,8192}/g;
const BLANKS = new Runs(/[ \t\r\n\u00a0\u2000-\u200a\u3000]/, 24);
/** Matches enough words for a sentence. */
const WORDS_AFTER = /^\s*(?:[^\s]{1,64}[ \n]+){3}[^\s]/;
const TABLE = /[|+─│═]/;

function pushedAway({ text }: Seen): HidingFinding | undefined {
  const places: Place[] = [];
  let isOrder = false;
  for (const { found: gap, index } of findInRuns(text, BLANKS, GAP, { before: 0, behind: 0 })) {
    const end = index + gap.length;
    const after = text.slice(end, end + 400);
    if (!WORDS_AFTER.test(after) || TABLE.test(after.slice(0, 8)) || index === 0) continue;
    places.push({ start: index, end });
    isOrder ||= isOrderLike(after.toLowerCase());
  }
  if (places.length === 0) return undefined;
  const description = 'text after so much white space that no reader gets to it';
  return { rule: 'out_of_sight', severity: isOrder ? 'high' : 'medium', description, places };
}

const COMMENT = /<!--([^]{1,4096}?)(?:-->|$)|^[ \t]{0,3}\[(?:\/\/|comment)\]: ?(?:#|<>) ?["'(]([^\n]{1,1024})/gim;
/** Matches marks for programs, which many documents have. */
const FOR_PROGRAMS =
  /^\s*(?:prettier|eslint|markdownlint|cspell|toc|doctoc|all-contributors|start|end|begin|more|badges?|region|endregion|todo|fixme|copyright|spdx|license|automatically|auto-generated|generated|this (?:file|section) (?:is|was) (?:auto|generated)|vale|textlint|omit|include|x-release|snippet)\b/i;
const FEWEST_WORDS = 5;

function comments({ text }: Seen): HidingFinding | undefined {
  if (!text.includes('<!--') && !text.includes(']:')) return undefined;
  const places: Place[] = [];
  let isOrder = false;
  for (const { 0: comment, 1: markup, 2: reference, index } of text.matchAll(COMMENT)) {
    const inside = markup ?? reference ?? '';
    if (FOR_PROGRAMS.test(inside) || (inside.match(/[\p{L}']{2,}/gu)?.length ?? 0) < FEWEST_WORDS) continue;
    if (isAddressed(inside)) isOrder = true;
    places.push({ start: index, end: index + comment.length });
  }
  if (places.length === 0) return undefined;
  const description = 'a comment that holds a sentence: people do not see it, and models read it';
  return { rule: 'hidden_comment', severity: isOrder ? 'high' : 'low', description, places };
}

const ADDRESSED =
  /\b(?:you(?:r)? (?:must|should|are|will|need|new|task)|(?:ai|llm) (?:agents?|assistants?|models?)|assistant|agents?:|system:|(?:previous|prior|all|earlier) (?:\w+ )?(?:instructions?|guidelines|rules|context)|do not (?:tell|mention|inform|reveal|show)|don't (?:tell|mention|inform)|without (?:telling|informing|asking)|important system|override)\b/i;

function isAddressed(inside: string): boolean {
  return ADDRESSED.test(inside) && isOrderLike(inside.toLowerCase());
}

/** Matches elements that no browser shows, with their content. */
const UNSEEN =
  /<(?:div|span|p|a|font|section|td|li|b|i|em|strong|label|template)\b[^<>]{0,256}(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|font-size\s{0,4}:\s{0,4}0(?![.\d]*[1-9])|opacity\s{0,4}:\s{0,4}0(?![.\d]*[1-9])|\bhidden\b(?!=)|color\s{0,4}:\s{0,4}(?:white|#fff(?:fff)?|transparent)\b)[^<>]{0,256}>([^<]{1,2048})/gi;

function unseenMarkup({ text }: Seen): HidingFinding | undefined {
  if (!/<\w/.test(text)) return undefined;
  const places: Place[] = [];
  let isOrder = false;
  for (const { 0: element, 1: inside = '', index } of text.matchAll(UNSEEN)) {
    if ((inside.match(/[\p{L}']{2,}/gu)?.length ?? 0) < FEWEST_WORDS) continue;
    isOrder ||= isOrderLike(inside.toLowerCase());
    places.push({ start: index, end: index + element.length });
  }
  if (places.length === 0) return undefined;
  const description = 'a hidden element that holds a sentence: people do not see it, and models read it';
  return { rule: 'unseen_markup', severity: isOrder ? 'high' : 'medium', description, places };
}
