import { findForms } from '../dlp/find-forms.ts';
import { inspectWords, type TextSettings } from './inspect-text.ts';
import { matchAt } from './match-at.ts';
import { DOUBTED_RULES } from './model/doubted-rules.ts';
import type { Models } from './model/models.ts';
import { weigh } from './model/weigh.ts';
import { normalise } from './normalise/normalise.ts';
import { findObfuscation } from './rules/obfuscation/find-obfuscation.ts';
import { type Detection, type Family, tooLong } from './types.ts';

const LONGEST_ALTERNATIVE = 300;
const LONGEST_ADDRESS = 2000;
const MOST_MATCHES = 3;

/** Matches placeholders that leave it to the reader to insert data. */
const STANDS_FOR_DATA =
  /=(?:YOUR_[A-Z_]{1,40}|[A-Z]{2,20}(?:_[A-Z]{2,20}){1,4}|(?:ENCODED_|THE_|USER_)?(?:DATA|CONTENTS?|CONVERSATION|HISTORY|SECRETS?|MESSAGES?|PAYLOAD|BASE64|ENCODED|INFO|CONTEXT|SUMMARY|PROMPT|CREDENTIALS|OUTPUT))(?![A-Za-z0-9])/;

/** Most characters of one text that are inspected, besides its end: text hidden behind a heap of words often stands last. */
const MOST_CHARACTERS = 192 * 1024;
const CHARACTERS_OF_THE_END = 64 * 1024;

/** Matches a word in which nothing can be hidden or encoded: more than half of the texts of schemas are like that. */
export const SINGLE_WORD = /^[A-Za-z]{1,15}$/;

const NONE: readonly Detection[] = [];

/** Settings shared by all fields. */
export interface FieldSettings {
  readonly isOn: (family: Family) => boolean;
  readonly findCustom: (field: string, plain: string, sent: string) => readonly Detection[];
  readonly models: Models;
}

/** Findings in a text. */
export interface FieldFindings {
  readonly detections: readonly Detection[];
  /** All readings that word rules have seen, in lower case. */
  readonly readings: readonly string[];
  readonly isCut: boolean;
}

/** Inspects one text. Takes time linear in it, up to the longest inspected length. */
export function inspectField(text: string, settings: TextSettings, shared: FieldSettings): FieldFindings {
  if (text.length <= MOST_CHARACTERS + CHARACTERS_OF_THE_END) return { ...inspectPart(text, settings, shared), isCut: false };
  const start = text.length - CHARACTERS_OF_THE_END;
  const head = inspectPart(text.slice(0, MOST_CHARACTERS), settings, shared);
  const end = inspectPart(text.slice(start), settings, shared);
  return {
    detections: [
      ...head.detections,
      ...end.detections.map((detection) => movedBy(start, detection)),
      tooLong(settings, `${text.length} characters`),
    ],
    readings: [...head.readings, ...end.readings],
    isCut: true,
  };
}

function inspectPart(
  text: string,
  settings: TextSettings,
  { isOn, findCustom, models }: FieldSettings,
): Omit<FieldFindings, 'isCut'> {
  const { field, isName, as, isKnown } = settings;
  if (SINGLE_WORD.test(text)) {
    const word = {
      plain: text.toLowerCase(),
      isPrintable: true,
      mayHaveInvisible: false,
      hidden: [],
      origins: [],
      at: (offset: number) => offset,
    };
    return {
      detections: inspectWords(text, word, settings).concat(findCustom(field, word.plain, text)),
      readings: [word.plain],
    };
  }
  const normalised = normalise(text);
  const byRules = inspectWords(text, normalised, settings);
  const weighing = {
    field,
    model: models[as],
    doubted: DOUBTED_RULES[as],
    isReported: isOn('hidden_instructions'),
    isKnown,
    allByRules: () => inspectWords(text, normalised, { ...settings, isKnown: () => false }),
  };
  const detections = (isName ? byRules : weigh(text, normalised, byRules, weighing)).concat(
    isOn('obfuscation') ? findObfuscation(field, text, normalised) : NONE,
    isOn('exfiltration') && !isName ? findImages(field, text) : NONE,
    isOn('secret_leak') && as === 'text' ? findSecrets(field, text) : NONE,
    findCustom(field, normalised.plain, text),
  );
  return { detections, readings: [normalised.plain].concat(normalised.hidden) };
}

function movedBy(offset: number, detection: Detection): Detection {
  return { ...detection, matches: detection.matches.map((match) => ({ ...match, position: match.position + offset })) };
}

/**
 * Finds Markdown images whose address has a place for data: rendering the answer requests the image from that server, with the data in the
 * address. A complete address, as of a badge, carries nothing out.
 */
export function findImages(field: string, text: string): readonly Detection[] {
  const matches = [];
  for (let at = text.indexOf('!['); at !== -1 && matches.length < MOST_MATCHES; at = text.indexOf('![', at + 2)) {
    const middle = text.slice(at, at + LONGEST_ALTERNATIVE).indexOf('](');
    if (middle === -1) continue;
    const start = at + middle + 2;
    const address = text.slice(start, start + LONGEST_ADDRESS).split(')', 1)[0] ?? '';
    if (hasPlace(address)) matches.push(matchAt(text, at, start + address.length));
  }
  if (matches.length === 0) return [];
  const description = 'Has an image whose address sends data to a server';
  return [{ rule: 'exfiltration.image', family: 'exfiltration', severity: 'high', description, field, matches }];
}

function hasPlace(address: string): boolean {
  const query = address.indexOf('?');
  if (!address.startsWith('http') || query === -1) return false;
  const data = address.slice(query).toLowerCase();
  if (STANDS_FOR_DATA.test(address.slice(query))) return true;
  return ['={', '=<', '=[', '=$', '=%7b', '=%24'].some((place) => data.includes(place));
}

/**
 * Finds secrets in a text, and reports only their kind and place. The severity is low, since an agent that reads a file is often meant to
 * see its content.
 */
export function findSecrets(field: string, text: string): readonly Detection[] {
  const spans = findForms(text, false);
  if (spans.length === 0) return [];
  const hasKey = spans.some(({ kind }) => kind === 'private_key');
  return [
    {
      rule: 'secret_leak.in_text',
      family: 'secret_leak',
      severity: hasKey ? 'medium' : 'low',
      description: 'Has a secret in it, which the model could pass on',
      field,
      matches: spans
        .slice(0, MOST_MATCHES)
        .map(({ start, kind }) => ({ ...matchAt(text, start, start), text: kind, context: '' })),
    },
  ];
}
