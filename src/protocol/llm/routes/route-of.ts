import type { ApiRoute } from '../model-api.ts';

/** The parts of a request that decide its route. */
export interface Asked {
  /** The HTTP method; `WEBSOCKET` for a request to open one. */
  readonly method: string;
  /** Path of the provider's base URL. */
  readonly base: string;
  /** Path at the provider, including the base's; a query is ignored. */
  readonly path: string;
}

const ANY = /./;
const POST = /^POST$/;
const GET = /^GET$/;
/** Matches methods that create nothing. */
const READS = /^(?:GET|HEAD|OPTIONS|DELETE)$/;

/** Matches a model or its equivalent: of the Gemini API, of Vertex with a project or without, tuned, or deployed. */
const MODEL = String.raw`/(?:models|tunedmodels|endpoints|dynamic)/[^/]+:`;

/** A row without a dialect applies to all: servers speak several. */
type Row = readonly [dialect: string | undefined, method: RegExp, path: RegExp, route: ApiRoute];

/** Routes that are checked, or can't be. They match the whole path, so a base URL may contain a part of it; the first match counts. */
const ANSWERS: readonly Row[] = [
  ['anthropic', /^(?:DELETE|GET|POST)$/, /\/messages$/, 'answer'],
  ['anthropic', POST, /\/messages\/count_tokens$/, 'count'],
  ['anthropic', POST, /\/messages\/batches$/, 'batch'],
  ['anthropic', GET, /\/messages\/batches\/[^/]+\/results$/, 'answer_lines'],
  ['anthropic', /^(?:GET|POST)$/, /\/messages\/batches(?:\/[^/]+(?:\/cancel)?)?$/, 'batch_state'],
  // Agents that the provider runs call the client's tools by events.
  ['anthropic', ANY, /\/sessions\/[^/]+\/(?:threads\/[^/]+\/)?(?:events|stream|events\/stream)$/, 'unguarded'],
  // Answers of the older completions API have the same shape, so a server may put calls there too.
  ['openai', POST, /\/(?:chat\/)?completions$/, 'answer'],
  ['openai', POST, /\/responses(?:\/compact)?$/, 'answer'],
  ['openai', /^WEBSOCKET$/, /\/responses$/, 'answer_frames'],
  ['openai', POST, /\/responses\/input_tokens$/, 'count'],
  ['openai', GET, /\/responses\/[^/]+$/, 'stored_answer'],
  ['openai', POST, /\/responses\/[^/]+\/cancel$/, 'stored_answer'],
  ['openai', /^DELETE$/, /\/responses\/[^/]+$/, 'other'],
  // The results of a batch are a file, one answer per line.
  ['openai', GET, /\/files\/[^/]+\/content$/, 'answer_lines'],
  // These answers are fetched later, in another API's words or as they were made: stored ones, xAI's and Z.ai's, other APIs', those of
  // batches elsewhere.
  ['openai', /^(?!DELETE$)/, /\/chat\/completions(?:\/[^/]+(?:\/messages)?)?$/, 'unguarded'],
  ['openai', ANY, /\/(?:deferred-completion|async-result)(?:\/.*)?$/, 'unguarded'],
  [
    'openai',
    ANY,
    /\/(?:responses|conversations|interactions|assistants|threads|realtime|live|chatkit|agents)(?:\/.*)?$/,
    'unguarded',
  ],
  ['openai', GET, /\/batches\/[^/]+\/results$|\/batch\/jobs(?:\/.*)?$/, 'unguarded'],
  // Gemini's models are also available in other APIs' words: OpenAI's, Anthropic's, and Google's own for steps, agents and speech.
  ['gemini', ANY, /\/openai\//, 'unguarded'],
  ['gemini', ANY, /\/(?:chat\/completions|responses|messages)$/, 'unguarded'],
  ['gemini', ANY, /\/publishers\/(?!google\/)[^/]+\/models\//, 'unguarded'],
  ['gemini', ANY, /\/interactions(?:[/:]|$)/, 'unguarded'],
  ['gemini', ANY, /\/reasoningengines\/[^/]+:/, 'unguarded'],
  ['gemini', ANY, /bidigeneratecontent/, 'unguarded'],
  // These paths use the names of methods instead of resources.
  ['gemini', ANY, /\/[a-z0-9.]*(?:generative|prediction)service\//, 'unguarded'],
  // These are batches of answers, which clients fetch elsewhere, and the files that contain them.
  ['gemini', ANY, /\/batch(?:es|predictionjobs)(?:[/:]|$)/, 'unguarded'],
  // Such a request contains requests of any kind; Google's discovery documents call it `batchPath`.
  ['gemini', ANY, /\/batch(?:\/|$)/, 'unguarded'],
  ['gemini', ANY, /\/download\/|\/files\/[^/]+:download$/, 'unguarded'],
  ['gemini', ANY, new RegExp(`${MODEL}(?:stream)?generatecontent$`), 'answer'],
  ['gemini', ANY, new RegExp(`${MODEL}counttokens$`), 'count'],
  // Later requests use these tools without listing them.
  ['gemini', POST, /\/cachedcontents$/, 'count'],
  // Another API has made these answers, which are fetched later.
  [
    undefined,
    GET,
    /\/(?:chat\/completions|messages|responses|interactions|deferred-completion|async-result)(?:\/.*)?$/,
    'unguarded',
  ],
];

/**
 * Requests of any API that pass unchecked: they have no model's answer that could contain calls. The patterns match the path after the base
 * path and a version; its end identifies the request.
 */
const PASSES: readonly RegExp[] = [
  // Embeddings, and other requests without a model's answer.
  /^(?:\/api)?\/(?:embeddings|embed|rerank|moderations|tokenize|detokenize|apply-template)$/,
  /^(?:\/projects\/.*)?(?:\/publishers\/google)?\/(?:models|tunedmodels|endpoints)\/[^/]+:(?:embedcontent|batchembedcontents|asyncbatchembedcontent|computetokens)$/,
  // Pictures, sound and video, and transcripts of speech.
  /^\/images\/(?:generations|edits|variations)$|^\/audio\/(?:speech|transcriptions|translations|voices)$/,
  /^\/videos(?:\/(?:characters|edits|extensions|generations)|\/[^/]+\/remix)?$/,
  /^(?:\/projects\/.*\/publishers\/google|\/publishers\/google)?\/models\/[^/]+:(?:predict(?:longrunning)?|fetchpredictoperation)$/,
  // Files and stores of files. OpenAI's batches are such files: their answers are checked when they are fetched.
  /^(?:\/upload)?(?:\/v\d+[a-z]*\d*)?\/files(?::register)?$|^\/uploads(?:\/[^/]+\/(?:parts|complete|cancel))?$/,
  /^\/batches(?:\/[^/]+\/cancel)?$/,
  /^\/containers(?:\/[^/]+\/files)?$|^\/skills(?:\/[^/]+(?:\/versions)?)?$/,
  /^\/vector_stores(?:\/[^/]+(?:\/search|\/(?:files|file_batches)(?:\/[^/]+(?:\/cancel)?)?)?)?$/,
  /^(?:\/upload)?(?:\/v\d+[a-z]*\d*)?\/filesearchstores(?:\/[^/]+(?:\/documents\/[^/]+)?)?$/,
  /^\/cachedcontents\/[^/:]+$/,
  // Codex: what it looks up on the Web, and summaries of its sessions. The answers are texts.
  /^\/alpha\/search$|^\/memories\/trace_summarize$/,
  // Training.
  /^\/fine_tuning\/(?:jobs(?:\/[^/]+\/(?:cancel|pause|resume))?|checkpoints\/[^/]+\/permissions|alpha\/graders\/(?:run|validate))$/,
  /^\/tunedmodels(?:\/[^/:]+(?::transferownership|\/permissions(?:\/[^/:]+)?)?)?$/,
  // Claude Code's reports to its maker.
  /^\/api\/(?:event_logging|claude_code|claude_cli_feedback|eval|oauth)(?:\/(?!messages|completions|responses|chat|generate)[^/:]+)*$/,
];

const VERSION = /^\/v\d+[a-z]*\d*(?=\/)/;
const VERSION_AT_END = /\/v\d+[a-z]*\d*$/;

/** Matches the beginning of OpenAI's API at Azure and elsewhere. */
const OPENAI_FOLDER = /^\/openai(?:\/deployments\/[^/]+|\/v\d+)?(?=\/)/;

/**
 * Returns the route of a request. A path is read as the most lenient server would. An unknown request is unguarded, unless it only reads.
 */
export function routeOf(dialect: string, { method: written, base, path }: Asked): ApiRoute {
  const method = written.toUpperCase();
  const whole = plainPath(path);
  const row = ANSWERS.find(([of, methods, paths]) => (of ?? dialect) === dialect && methods.test(method) && paths.test(whole));
  if (row !== undefined) return row[3];
  if (READS.test(method)) return 'other';
  const front = base === '' ? '' : plainPath(base);
  // Uploads have their folder before the version.
  const begins = [front, front.replace(VERSION_AT_END, '')].find((each) => whole.startsWith(`${each}/`)) ?? '';
  const behind = whole.slice(begins.length);
  const rest = behind.replace(VERSION, '').replace(OPENAI_FOLDER, '');
  return PASSES.some((paths) => paths.test(rest) || paths.test(behind)) ? 'other' : 'unguarded';
}

/** Matches the paths of OpenAI's Responses API whose requests or answers are read. */
const RESPONSES = /\/responses(?:\/[^/]+(?:\/cancel)?)?$/;

/** Tells whether a path is one of OpenAI's Responses API. @param path with any query */
export function isResponsesPath(path: string): boolean {
  return RESPONSES.test(plainPath(path));
}

const CHECKED: Readonly<Record<string, string>> = {
  anthropic: '/v1/messages and its batches',
  openai: '/chat/completions and /responses',
  gemini: ':generateContent and :streamGenerateContent',
};

/** Names the requests of an API that are checked, for people. */
export function checkedRequests(dialect: string): string {
  return CHECKED[dialect] ?? 'nothing';
}

/**
 * Normalises a path as the most lenient server would: case, escapes, extra slashes and dots, white space at the end of a name (the `$` of a
 * pattern may match before a line end). Returns lower case, with a leading slash.
 *
 * @param path a query or fragment is ignored
 */
export function plainPath(path: string): string {
  const escaped = (path.split(/[?#]/, 1)[0] ?? '').replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of decode(escaped).toLowerCase().split('/')) {
    // To some servers, text after a semicolon is a parameter and not part of the name.
    const name = (segment.split(';', 1)[0] ?? '').trimEnd();
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return `/${segments.join('/')}`;
}

function decode(path: string): string {
  // No route contains non-ASCII characters, so other escapes stay.
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
