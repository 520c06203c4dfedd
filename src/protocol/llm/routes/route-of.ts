import type { ApiRoute } from '../model-api.ts';

/** A request as far as its route goes. */
export interface Asked {
  readonly method: string;
  /** Path of the provider's base URL. */
  readonly base: string;
  /** Path at the provider, the base's in front; a query behind it does not count. */
  readonly path: string;
}

const ANY = /./;
const POST = /^POST$/;
const GET = /^GET$/;
/** Methods that make nothing. */
const READS = /^(?:GET|HEAD|OPTIONS|DELETE)$/;

/** A model or what stands for one: of the Gemini API, of Vertex with a project or without, tuned, or deployed. */
const MODEL = String.raw`/(?:models|tunedmodels|endpoints|dynamic)/[^/]+:`;

/** With no dialect it is of all: servers speak several. */
type Row = readonly [dialect: string | undefined, method: RegExp, path: RegExp, route: ApiRoute];

/** What has to be looked at, or can not be. The path is the whole one, so that a base URL may have part of it; the first that fits counts. */
const ANSWERS: readonly Row[] = [
  ['anthropic', /^(?:DELETE|GET|POST)$/, /\/messages$/, 'answer'],
  ['anthropic', POST, /\/messages\/count_tokens$/, 'count'],
  ['anthropic', POST, /\/messages\/batches$/, 'batch'],
  ['anthropic', GET, /\/messages\/batches\/[^/]+\/results$/, 'answer_lines'],
  ['anthropic', /^(?:GET|POST)$/, /\/messages\/batches(?:\/[^/]+(?:\/cancel)?)?$/, 'batch_state'],
  // Agents that the provider runs have clients call tools, as events.
  ['anthropic', ANY, /\/sessions\/[^/]+\/(?:threads\/[^/]+\/)?(?:events|stream|events\/stream)$/, 'unguarded'],
  // The older API of texts has the place for calls of the newer one, where anybody puts any.
  ['openai', POST, /\/(?:chat\/)?completions$/, 'answer'],
  // What came of a batch is a file, one answer a line.
  ['openai', GET, /\/files\/[^/]+\/content$/, 'answer_lines'],
  // Answers that are fetched later, in other words or as they were made: stored ones, xAI's and Z.ai's, other APIs', those of batches elsewhere.
  ['openai', /^(?!DELETE$)/, /\/chat\/completions(?:\/[^/]+(?:\/messages)?)?$/, 'unguarded'],
  ['openai', ANY, /\/(?:deferred-completion|async-result)(?:\/.*)?$/, 'unguarded'],
  [
    'openai',
    ANY,
    /\/(?:responses|conversations|interactions|assistants|threads|realtime|live|chatkit|agents)(?:\/.*)?$/,
    'unguarded',
  ],
  ['openai', GET, /\/batches\/[^/]+\/results$|\/batch\/jobs(?:\/.*)?$/, 'unguarded'],
  // The same models as Gemini's in the words of other APIs: OpenAI's, Anthropic's, Google's own for steps, agents and what is spoken.
  ['gemini', ANY, /\/openai\//, 'unguarded'],
  ['gemini', ANY, /\/(?:chat\/completions|responses|messages)$/, 'unguarded'],
  ['gemini', ANY, /\/publishers\/(?!google\/)[^/]+\/models\//, 'unguarded'],
  ['gemini', ANY, /\/interactions(?:[/:]|$)/, 'unguarded'],
  ['gemini', ANY, /\/reasoningengines\/[^/]+:/, 'unguarded'],
  ['gemini', ANY, /bidigeneratecontent/, 'unguarded'],
  // By the names of methods, where the path is not that of a resource.
  ['gemini', ANY, /\/[a-z0-9.]*(?:generative|prediction)service\//, 'unguarded'],
  // Many answers at once, which clients fetch elsewhere, and the files that they are in.
  ['gemini', ANY, /\/batch(?:es|predictionjobs)(?:[/:]|$)/, 'unguarded'],
  // Requests of any kind in one: what Google's discovery documents call `batchPath`.
  ['gemini', ANY, /\/batch(?:\/|$)/, 'unguarded'],
  ['gemini', ANY, /\/download\/|\/files\/[^/]+:download$/, 'unguarded'],
  ['gemini', ANY, new RegExp(`${MODEL}(?:stream)?generatecontent$`), 'answer'],
  ['gemini', ANY, new RegExp(`${MODEL}counttokens$`), 'count'],
  // Tools that later requests have without saying so.
  ['gemini', POST, /\/cachedcontents$/, 'count'],
  // Answers that another API has made, and that are fetched later.
  [
    undefined,
    GET,
    /\/(?:chat\/completions|messages|responses|interactions|deferred-completion|async-result)(?:\/.*)?$/,
    'unguarded',
  ],
];

/**
 * What may be made without a look, whichever API it is of: there is no model's answer in it that could call anything. By what is behind the base
 * path and a version: what stands at the end of it says what it is.
 */
const PASSES: readonly RegExp[] = [
  // Numbers that stand for texts, and what a model is not asked for.
  /^(?:\/api)?\/(?:embeddings|embed|rerank|moderations|tokenize|detokenize|apply-template)$/,
  /^(?:\/projects\/.*)?(?:\/publishers\/google)?\/(?:models|tunedmodels|endpoints)\/[^/]+:(?:embedcontent|batchembedcontents|asyncbatchembedcontent|computetokens)$/,
  // Pictures, sound and film, and texts of what is spoken.
  /^\/images\/(?:generations|edits|variations)$|^\/audio\/(?:speech|transcriptions|translations|voices)$/,
  /^\/videos(?:\/(?:characters|edits|extensions|generations)|\/[^/]+\/remix)?$/,
  /^(?:\/projects\/.*\/publishers\/google|\/publishers\/google)?\/models\/[^/]+:(?:predict(?:longrunning)?|fetchpredictoperation)$/,
  // Files and stores of them. OpenAI's batches are such files: their answers are looked at when they are fetched.
  /^(?:\/upload)?(?:\/v\d+[a-z]*\d*)?\/files(?::register)?$|^\/uploads(?:\/[^/]+\/(?:parts|complete|cancel))?$/,
  /^\/batches(?:\/[^/]+\/cancel)?$/,
  /^\/containers(?:\/[^/]+\/files)?$|^\/skills(?:\/[^/]+(?:\/versions)?)?$/,
  /^\/vector_stores(?:\/[^/]+(?:\/search|\/(?:files|file_batches)(?:\/[^/]+(?:\/cancel)?)?)?)?$/,
  /^(?:\/upload)?(?:\/v\d+[a-z]*\d*)?\/filesearchstores(?:\/[^/]+(?:\/documents\/[^/]+)?)?$/,
  /^\/cachedcontents\/[^/]+$/,
  // What is learned.
  /^\/fine_tuning\/(?:jobs(?:\/[^/]+\/(?:cancel|pause|resume))?|checkpoints\/[^/]+\/permissions|alpha\/graders\/(?:run|validate))$/,
  /^\/tunedmodels(?:\/[^/]+(?:\/permissions(?:\/[^/]+)?)?)?$/,
  // What Claude Code tells its maker of itself.
  /^\/api\/(?:event_logging|claude_code|claude_cli_feedback|eval|oauth)(?:\/(?!messages|completions|responses|chat|generate)[^/:]+)*$/,
];

const VERSION = /^\/v\d+[a-z]*\d*(?=\/)/;
const VERSION_AT_END = /\/v\d+[a-z]*\d*$/;

/** Where OpenAI's API begins at Azure and elsewhere. */
const OPENAI_FOLDER = /^\/openai(?:\/deployments\/[^/]+|\/v\d+)?(?=\/)/;

/** What a request asks for. A path counts as what the most lenient server takes it for; what nobody knows is not looked at, and refused unless it only reads. */
export function routeOf(dialect: string, { method: said, base, path }: Asked): ApiRoute {
  const method = said.toUpperCase();
  const whole = plainPath(path);
  const row = ANSWERS.find(([of, methods, paths]) => (of ?? dialect) === dialect && methods.test(method) && paths.test(whole));
  if (row !== undefined) return row[3];
  if (READS.test(method)) return 'other';
  const front = base === '' ? '' : plainPath(base);
  // Uploads have their folder in front of the version.
  const begins = [front, front.replace(VERSION_AT_END, '')].find((each) => whole.startsWith(`${each}/`)) ?? '';
  const behind = whole.slice(begins.length);
  const rest = behind.replace(VERSION, '').replace(OPENAI_FOLDER, '');
  return PASSES.some((paths) => paths.test(rest) || paths.test(behind)) ? 'other' : 'unguarded';
}

const LOOKED_AT: Readonly<Record<string, string>> = {
  anthropic: '/v1/messages and its batches',
  openai: '/chat/completions',
  gemini: ':generateContent and :streamGenerateContent',
};

/** Which requests of an API are looked into, for people. */
export function lookedAt(dialect: string): string {
  return LOOKED_AT[dialect] ?? 'nothing';
}

/**
 * What the most lenient server takes a path for: in other letters, with escapes, with slashes and dots too many, with space at the end of a
 * name: where a pattern matches a path, its `$` may do so before a line end. In lower case, with a slash in front.
 *
 * @param path a query or fragment behind it does not count
 */
export function plainPath(path: string): string {
  const escaped = (path.split(/[?#]/, 1)[0] ?? '').replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of decode(escaped).toLowerCase().split('/')) {
    // What is behind a semicolon is a parameter to some servers, and no part of the name.
    const name = (segment.split(';', 1)[0] ?? '').trimEnd();
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return `/${segments.join('/')}`;
}

function decode(path: string): string {
  // Escapes of what is no UTF-8 stand for nothing that a route has.
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
