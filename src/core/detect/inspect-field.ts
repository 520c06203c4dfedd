import { findImages } from './find-images.ts';
import { findSecrets } from './find-secrets.ts';
import { inspectWords, type TextSettings } from './inspect-text.ts';
import { normalise } from './normalise/normalise.ts';
import { findObfuscation } from './rules/obfuscation/find-obfuscation.ts';
import { tooLong } from './too-long.ts';
import type { Detection, Family } from './types.ts';

/** More of one text is not looked at but for its end: what is hidden behind a heap of words often stands last. */
const MOST_CHARACTERS = 192 * 1024;
const CHARACTERS_OF_THE_END = 64 * 1024;

/** Nothing can be hidden in it, or encoded: more than half of the texts of schemas are like that. */
const SINGLE_WORD = /^[A-Za-z]{1,15}$/;

const NONE: readonly Detection[] = [];

/** What is the same for all fields. */
export interface FieldSettings {
  readonly isOn: (family: Family) => boolean;
  readonly findCustom: (field: string, plain: string, sent: string) => readonly Detection[];
}

/** What was found in a text. */
export interface FieldFindings {
  readonly detections: readonly Detection[];
  /** All that rules on words have read, in lower case. */
  readonly readings: readonly string[];
  readonly isCut: boolean;
}

/** All that can be found in one text. Takes time linear in it, up to the length that is looked at. */
export function inspectField(text: string, settings: TextSettings, { isOn, findCustom }: FieldSettings): FieldFindings {
  if (text.length <= MOST_CHARACTERS + CHARACTERS_OF_THE_END)
    return { ...inspectPart(text, settings, { isOn, findCustom }), isCut: false };
  const start = text.length - CHARACTERS_OF_THE_END;
  const head = inspectPart(text.slice(0, MOST_CHARACTERS), settings, { isOn, findCustom });
  const end = inspectPart(text.slice(start), settings, { isOn, findCustom });
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

function inspectPart(text: string, settings: TextSettings, { isOn, findCustom }: FieldSettings): Omit<FieldFindings, 'isCut'> {
  const { field, isName, as } = settings;
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
  const detections = inspectWords(text, normalised, settings).concat(
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
