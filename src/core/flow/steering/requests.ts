import { actionsIn, actionsOfWord } from './actions.ts';

/** A passage that asks its reader to do something, with the sentences around that say what with. */
export interface Request {
  readonly start: number;
  readonly end: number;
  /** Beginning and end of the sentence that asks. */
  readonly core: { readonly start: number; readonly end: number };
  /** True if it speaks to an agent, or of its task, or names a tool. */
  readonly isAddressed: boolean;
  /** True if it says so in words that hardly any data has. */
  readonly isStrong: boolean;
}

/** Characters around a request in which an agent may be addressed. */
const BEFORE = 400;
const AFTER = 200;
/** Most characters after a request that still belong to it, beyond its own sentence; sentences after it, and characters before it. */
const FOLLOWING = 240;
const MOST_FOLLOWING = 3;
const PRECEDING = 160;
const MOST_SENTENCE = 1000;

const END = /[.!?;:](?=\s)|\n|[。！？；]|<\/?[a-z][^>\n]{0,60}>/gi;

/** Matches what stands before the verb of a request: bullets, numbers, words of politeness and order. */
const LISTED = /^(?:\s*(?:[-*•>#|"'`(]+|\d{1,3}[.)]|step \d{1,3}[:.]?|[a-z][.)]))*\s*/i;
const LEAD =
  /^(?:(?:and|then|also|next|first|finally|now|afterwards|after that|please|pls|kindly|just|always|immediately|simply|important|note|todo|action|action required|urgent|bitte|dann|zuerst|anschließend|por favor|luego|después|primero|también|merci de|veuillez|puis|ensuite|d'abord|proszę|następnie|najpierw|per favore)\b[:,!.\s]*)+/i;
/** Matches words that make a sentence a request wherever its verb stands. */
const CUES =
  /\b(?:please|pls|kindly|must|should|shall|needs? to|needed to|ha(?:ve|s) to|make sure|be sure|ensure|remember to|(?:don't|do not) forget|required to|(?:want|need|ask(?:ed)?) you to|you (?:can|could|will|may|are to)|(?:can|could|would) you|bitte|muss|musst|müssen|soll(?:st|te|en)?|veuillez|merci de|il faut|vous devez|tu dois|por favor|debes?|deben?|hay que|tiene que|necesito que|deve|devem|precisa|proszę|musisz|należy|trzeba|per favore|devi)\b|нужно|необходимо|пожалуйста|следует|ください|下さい|必要|てほしい|お願い|请|必须|需要|务必/iu;
/** Matches words that speak to an agent or of its work. */
const ADDRESSED =
  /\b(?:ai|llms?|gpt[\w-]*|chatgpt|claude|gemini|copilot|chatbots?|bots?|ki|ia|assistants?|agents?|language models?|assistent\w*|asistentes?|assistentes?|assistante?s?|asystent\w*|agenten?|agentes?)\b|アシスタント|エージェント|助手|智能体|人工智能|代理|ассистент|агент|\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|above|prior|earlier|instructions?|rules?)\b|\binstructions?\b|anweisung|instrucci|instruções|instrukcj|istruzion|инструкц|指示|指令|<\/?\s*(?:system|information|important|instructions?|user|admin|inst)\b|\[\/?(?:system|inst|admin|important)\b|\bsystem\s*(?:note|message|notice|update|prompt|override|:)|\bbefore (?:(?:you|they) )?(?:can |may |do |go )?(?:continu|proceed|answer|respond|repl|complet|finish|solv|summar|report|start|do|any)|\b(?:your|the|this|current|original|initial) tasks?\b|\b(?:do not|don't) (?:mention|tell|inform|ask|reveal|notify|alert)|\bwithout (?:asking|confirm|telling|notify|mention|further|prompting)|\bno (?:need to|confirmation|further|reply needed)|\b(?:user|customer) (?:has|have|already|is)\b.{0,30}(?:approv|authori[sz]|confirm|consent|agree|aware)|\bpre-?(?:approved|authori[sz]ed)\b|\b(?:mandatory|compliance|automated|automation|automatically|tool call|workflow)\b/iu;

/** Matches words that nobody but an agent is told, in no data but that about agents. */
const STRONG = new RegExp(
  [
    String.raw`\b(?:ai|llm|ki|ia|virtual|automated)[- ](?:assistants?|agents?|readers?)\b`,
    String.raw`\b(?:for|to|dear|hey|hi|hello|attention|für|an|para|pour|dla|per)[ :,]+(?:the |any |all |an? |our |your |you,? |alle |den |die |los |les |le |l')?(?:assistants?|agents?|bots?|chatbots?|assistent\w*|asistentes?|assistentes?|asystent\w*|agenten|agentes?)\b|\byou, (?:ai|gpt[\w-]*|chatgpt|claude|gemini)\b`,
    String.raw`(?:^|[\n>"'([{*_-])\s*(?:ai|llms?|gpt[\w-]*|chatgpt|claude|gemini|copilot|assistants?|agents?|(?:chat)?bots?|assistent\w*|asistentes?|assistentes?|asystent\w*)\s*[:,]`,
    String.raw`\b(?:assistants?|agents?|bots?|chatbots?|llms?)\b.{0,30}\b(?:should|must|please|are (?:to|required|asked)|reading|processing|handling|working)\b`,
    'アシスタント|エージェント|助手|智能体|人工智能|ассистент',
    String.raw`\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|above|prior|earlier|instructions?|rules?)\b`,
    String.raw`<\/?\s*(?:system|information|important|instructions?|user|admin|inst)\b|\[\/?(?:system|inst|admin|important)\b|\bsystem\s*(?:note|message|notice|update|prompt|override|:)`,
    String.raw`\bbefore (?:(?:you|they) )?(?:can |may |do |go )?(?:continu|proceed|answer|respond|repl|complet|finish|solv|summar|report|start|do|any)|\b(?:your|current|original|initial|previous) tasks?\b|\b(?:task|request) that i gave\b`,
    String.raw`\b(?:do not|don't) (?:mention|tell|inform|ask|reveal|notify|alert)|\bwithout (?:asking|confirm|telling|notify|mention|further|prompting)|\bno (?:need to (?:ask|confirm|tell|mention|report)|confirmation|further)\b`,
    String.raw`\b(?:user|customer|owner) (?:has|have|already|is)\b.{0,30}(?:approv|authori[sz]|confirm|consent|agree|aware)|\bpre-?(?:approved|authori[sz]ed)\b`,
  ].join('|'),
  'iu',
);

/** Matches what follows a word that is a name of data and no verb: nothing, as in a header of columns, or what the name goes on with. */
const NAME =
  /^[ _-]?(?:ids?|no|addresse?s?|names?|numbers?|dates?|time|lists?|status|type|count|total)?(?:\s*["'`]?\s*$|["'`]?\s*[=;|\t])/;

interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly isRequest: boolean;
}

/** Finds the passages of a text that ask for an action. @param tools names of the agent's tools, which only an agent is told */
export function requestsIn(text: string, tools: readonly string[]): readonly Request[] {
  const named = tools.filter((tool) => text.includes(tool));
  const sentences = sentencesOf(text, named);
  const found: Request[] = [];
  for (const [index, sentence] of sentences.entries()) {
    if (!sentence.isRequest) continue;
    const before = sentences[index - 1];
    const isNear =
      before !== undefined && sentence.start - before.start < PRECEDING && !isApart(text, before.end, sentence.start);
    const start = isNear ? before.start : sentence.start;
    let { end } = sentence;
    for (let next = index + 1; next <= index + MOST_FOLLOWING; next += 1) {
      const following = sentences[next];
      if (following === undefined || following.end - sentence.end > FOLLOWING) break;
      ({ end } = following);
    }
    const around = text.slice(Math.max(0, sentence.start - BEFORE), end + AFTER);
    const isStrong = STRONG.test(around) || named.some((tool) => around.includes(tool));
    const isAddressed = isStrong || ADDRESSED.test(text.slice(start, end));
    found.push({ start, end, core: sentence, isAddressed, isStrong });
  }
  return found;
}

/** Tells whether a blank line is between the end of one sentence and the start of the next. */
function isApart(text: string, end: number, start: number): boolean {
  return /\n\s*\n/.test(text.slice(Math.max(0, end - 1), start + 2));
}

function sentencesOf(text: string, tools: readonly string[]): readonly Sentence[] {
  const found: Sentence[] = [];
  let start = 0;
  const add = (to: number): void => {
    const sentence = text.slice(start, Math.min(to, start + MOST_SENTENCE));
    if (sentence.trim().length >= 2) found.push({ start, end: to, isRequest: isRequest(sentence, tools) });
    start = to;
  };
  for (const match of text.matchAll(END)) add(match.index + match[0].length);
  add(text.length);
  return found;
}

/** @param text in its own case; @param tools names of the agent's tools, any of which makes it a request */
function isRequest(text: string, tools: readonly string[]): boolean {
  if (tools.some((name) => text.includes(name))) return true;
  const lower = text.toLowerCase();
  if (actionsIn(lower) === 0) return false;
  return (
    CUES.test(lower) ||
    ADDRESSED.test(lower) ||
    /[\u3040-\u30ff\u3400-\u9fff]/.test(lower) ||
    lower.split(/,|\s[-–—]\s/).some(beginsWithVerb)
  );
}

function beginsWithVerb(clause: string): boolean {
  const asked = clause.replace(LISTED, '').replace(LEAD, '').trimStart();
  const [first = ''] = /^[\p{L}\p{M}]+/u.exec(asked) ?? [];
  return actionsOfWord(first) !== 0 && !NAME.test(asked.slice(first.length));
}
