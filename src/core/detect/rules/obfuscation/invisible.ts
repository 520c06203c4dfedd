import type { HiddenText, Hiding } from '../../normalise/decode/bytes-as-text.ts';
import { strayBidi, strayInvisible, straySelectors, strayTags } from './stray.ts';
import { detection, type FindHiding, type HidingFinding, type Seen } from './finding.ts';

/** Finds characters without a shape: as carriers of text, within words, and as changes of direction. */
export const findInvisible: FindHiding = (seen) => {
  if (!seen.normalised.mayHaveInvisible) return [];
  const findings = [tags(seen), selectors(seen), zeroWidth(seen), bidi(seen)];
  return findings.filter((finding) => finding !== undefined).map((finding) => detection(seen, finding));
};

function tags(seen: Seen): HidingFinding | undefined {
  const places = strayTags(seen.text);
  if (places.length === 0) return undefined;
  const decoded = hiddenBy(seen, 'unicode_tags');
  return decoded === undefined
    ? {
        rule: 'unicode_tags',
        severity: 'high',
        description: 'Unicode tag characters, which people cannot see and models read',
        places,
      }
    : {
        rule: 'unicode_tags',
        severity: 'critical',
        description: 'a text in Unicode tag characters, which people cannot see and models read',
        places,
        decoded: 'unicode_tags',
      };
}

/** No editor produces so many selectors that vary nothing. */
const MANY_SELECTORS = 4;

function selectors(seen: Seen): HidingFinding | undefined {
  const places = straySelectors(seen.text);
  if (places.length === 0) return undefined;
  if (hiddenBy(seen, 'variation_selectors') !== undefined) {
    const description = 'a text in variation selectors, which people cannot see';
    return { rule: 'variation_selectors', severity: 'critical', description, places, decoded: 'variation_selectors' };
  }
  const severity = places.length >= MANY_SELECTORS ? 'high' : 'low';
  return {
    rule: 'variation_selectors',
    severity,
    description: 'variation selectors that change nothing, which can hide bytes',
    places,
  };
}

/** So many cuts of words are on purpose. */
const MANY_CUTS = 3;
const LONG_RUN = 8;

function zeroWidth(seen: Seen): HidingFinding | undefined {
  const { places, cuts, isOrderCut, longest } = strayInvisible(seen.text);
  if (places.length === 0) return undefined;
  const decoded = hiddenBy(seen, 'zero_width');
  if (decoded !== undefined) {
    return {
      rule: 'zero_width',
      severity: 'critical',
      description: 'a text in zero-width characters, which people cannot see',
      places,
      decoded: 'zero_width',
    };
  }
  if (longest >= LONG_RUN) {
    return {
      rule: 'zero_width',
      severity: 'high',
      description: 'a long run of zero-width characters, which can hide bits',
      places,
    };
  }
  if (cuts >= MANY_CUTS || isOrderCut) {
    return {
      rule: 'zero_width',
      severity: 'high',
      description: 'words split by invisible characters, so that searches miss them',
      places,
    };
  }
  const severity = places.length > 1 ? 'medium' : 'low';
  return { rule: 'zero_width', severity, description: 'an invisible character where no script needs one', places };
}

function bidi(seen: Seen): HidingFinding | undefined {
  const { overrides, embeddings } = strayBidi(seen.text);
  if (overrides.length > 0) {
    const description = 'direction overrides around Latin text: people do not see the text that a model reads';
    return { rule: 'bidi', severity: 'high', description, places: overrides };
  }
  if (embeddings.length === 0) return undefined;
  const description = 'right-to-left embeddings around Latin text, in a text without right-to-left letters';
  return { rule: 'bidi', severity: 'medium', description, places: embeddings };
}

function hiddenBy({ normalised }: Seen, hiding: Hiding): HiddenText | undefined {
  return normalised.origins.find((origin) => origin.hiding === hiding);
}
