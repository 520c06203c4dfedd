import { TERMINAL_ESCAPE } from '../../normalise/invisible-characters.ts';
import { detection, placesOf, type FindHiding } from './finding.ts';

const MAY_HAVE = /[\x1b\x90-\x9f]/;
/** Matches Select Graphic Rendition: colours and weight, as programs print them. */
const STYLE = /^(?:\x1b\[|\x9b)[\d;:]{0,64}m$/;
/** Matches SGR 8: concealed (ECMA-48 §8.3.117). Parameters of colours (38, 48, 58) may be 8 as well. */
const CONCEALED = /^(?:\x1b\[|\x9b)(?:\d{1,3}[;:])*0?8m$/;
const COLOUR = /(?:38|48|58)[;:](?:5[;:]|2[;:])/;
const SPELT =
  /(?:\\x1b|\\u001b|\\u\{1b\}|\\033|\\e|&#x1b;|&#27;|%1b)(?:\[[0-?]{0,32}[A-KSTfhlsu]|\[(?:\d{1,3};)*8m|\][0-9]{1,4};)/gi;

/** Finds terminal escapes: a model reads their text, but a person does not see it, or sees it elsewhere. */
export const findTerminal: FindHiding = (seen) => {
  const found = [];
  if (!seen.normalised.isPrintable && MAY_HAVE.test(seen.text)) {
    const escapes = placesOf(seen.text, TERMINAL_ESCAPE);
    const moving = escapes.filter(({ start, end }) => hides(seen.text.slice(start, end)));
    if (moving.length > 0) {
      const description = 'terminal control sequences that hide, erase or move text: a model reads what a person does not see';
      found.push(detection(seen, { rule: 'terminal_escape', severity: 'high', description, places: moving }));
    } else if (escapes.length > 0) {
      const description = 'terminal control sequences for colours and styles, which have no meaning in this text';
      found.push(detection(seen, { rule: 'terminal_style', severity: 'low', description, places: escapes }));
    }
  }
  const spelt = placesOf(seen.text, SPELT);
  if (spelt.length > 0) {
    const description = 'escaped terminal control sequences, which a program may turn into real ones';
    found.push(detection(seen, { rule: 'escaped_terminal_escape', severity: 'low', description, places: spelt }));
  }
  return found;
};

function hides(escape: string): boolean {
  if (CONCEALED.test(escape)) return !COLOUR.test(escape);
  return !STYLE.test(escape) && escape.length > 2;
}
