import { type Call, NATIVE_SERVER, SUBJECT_METHODS } from '../../../core/call.ts';
import type { JsonObject } from '../../../core/json.ts';
import { CATEGORIES, type Category } from '../../../core/registry/category.ts';
import { ClawaiError } from '../../../errors.ts';
import { REVIEWED_METHODS } from '../../../gate/methods.ts';
import { toServerCall } from '../../../gate/server-methods.ts';
import { readCall } from '../fixtures/fixture-call.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import { DEFAULT_SERVER } from '../fixtures/fixture.ts';
import { didYouMean, type Origin } from '../fixtures/fixture-value.ts';
import { readArguments } from './read-arguments.ts';

/** What a person asks about, as it was typed. */
export interface Question {
  readonly tool: string | undefined;
  readonly resource: string | undefined;
  readonly prompt: string | undefined;
  readonly method: string | undefined;
  readonly args: string | undefined;
  readonly server: string | undefined;
  readonly category: string | undefined;
}

/** Methods that have a subject of their own. */
const OF_SUBJECTS: readonly string[] = Object.values(SUBJECT_METHODS);

/** What servers ask of clients. Their parameters are the arguments. */
const SERVER_CALLS = ['sampling/createMessage', 'elicitation/create'];

/** The call that is asked about, as a fixture without expectations. Throws ClawaiError `usage`. */
export async function readQuestion(question: Question): Promise<Fixture> {
  const { server = DEFAULT_SERVER, args, category } = question;
  const method = methodOf(question);
  checkSubject(question, method);
  const given = args === undefined ? undefined : await readArguments(args);
  const call = SERVER_CALLS.includes(method)
    ? toServerCall(server, method, given)
    : toCall({ ...question, server, method }, given);
  const categories = category === undefined ? undefined : readCategories(category);
  return { file: '', name: '', call, context: categories === undefined ? {} : { categories } };
}

function methodOf({ tool, resource, prompt, method }: Question): string {
  const subjects = Object.entries({ tool, resource, prompt }).filter(([, name]) => name !== undefined);
  const [first, second] = subjects.map(([key]) => key);
  if (second !== undefined) throw usage(`--${first} and --${second} are both given`, 'a call is about one of them');
  if (method !== undefined) return method;
  if (first === 'tool' || first === 'resource' || first === 'prompt') return SUBJECT_METHODS[first];
  throw usage(
    'it is not said which call',
    'write --tool NAME, --resource URI, --prompt NAME, --method METHOD, --event ID or --fixture FILE',
  );
}

/** Each method has its own subject, and a call without it is none. */
function checkSubject({ tool, resource, prompt, args }: Question, method: string): void {
  if (method === 'completion/complete' || method === 'subscriptions/listen')
    throw usage(`${method} has more parameters than there are flags`, 'write it as a fixture, and name that with --fixture');
  const of = { tool, resource, prompt };
  for (const key of ['tool', 'resource', 'prompt'] as const) {
    const isNeeded = method === SUBJECT_METHODS[key];
    if (isNeeded && of[key] === undefined) throw usage(`--${key} is missing`, `${method} is about one`);
    const isOther = key === 'resource' ? !REVIEWED_METHODS.has(method) || OF_SUBJECTS.includes(method) : true;
    if (!isNeeded && isOther && of[key] !== undefined)
      throw usage(`${method} is not about a ${key}`, `leave --method out, or --${key}`);
  }
  const hasArguments = tool !== undefined || prompt !== undefined || SERVER_CALLS.includes(method);
  if (args !== undefined && !hasArguments) throw usage(`${method} has no arguments that a rule looks at`, 'leave --args out');
}

type Asked = Pick<Question, 'tool' | 'resource' | 'prompt'> & { readonly server: string; readonly method: string };

/** As the gate makes it out of a message. */
function toCall({ tool, resource, prompt, server, method }: Asked, args: JsonObject | undefined): Call {
  const name = tool ?? prompt;
  const params: JsonObject = {
    ...(name === undefined ? {} : { name }),
    ...(resource === undefined ? {} : { uri: resource }),
    ...(args === undefined ? {} : { arguments: args }),
  };
  const fail: Origin['fail'] = (_pointer, message) => {
    const isServer = server === NATIVE_SERVER && method !== SUBJECT_METHODS.tool;
    throw usage(
      message.replace(/^params\./, 'in the call, '),
      isServer ? 'name another server' : 'see clawai help policy explain',
    );
  };
  return readCall({ method, params }, server, { file: '', pointer: '', name: '', fail });
}

function readCategories(text: string): readonly Category[] {
  return text.split(',').map((word) => {
    const category = CATEGORIES.find((known) => known === word.trim());
    if (category !== undefined) return category;
    throw usage(
      `--category: ${JSON.stringify(word.trim())} is none`,
      didYouMean(word.trim(), CATEGORIES) ?? `there are ${CATEGORIES.join(', ')}`,
    );
  });
}

function usage(message: string, hint: string): ClawaiError {
  return new ClawaiError(message, { code: 'usage', hint });
}
