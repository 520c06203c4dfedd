import type { ClientStyle } from '../llm/tool-names/client-style.ts';
import type { HookArguments, Payload } from './payload.ts';

/** One way in which a policy may know a call. */
export interface HookForm extends HookArguments {
  readonly name: string;
  /** The MCP server, if the client names it beside the tool. */
  readonly server?: string;
}

/** A call that a client asks its hook about. */
export interface HookCall {
  /** All ways in which a policy may know it, at least one. The strictest decision counts, and of equal ones the first. */
  readonly forms: readonly [HookForm, ...HookForm[]];
  /** The model's id of the call; empty if the client does not tell it. */
  readonly id: string;
  /** The folder that relative paths are relative to; undefined if the client does not tell it. */
  readonly cwd: string | undefined;
}

/** The output of a hook's process, to the byte. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

/** A client that asks a program before it runs a tool. */
export interface HookClient {
  readonly id: string;
  /** The way it names the tools of MCP servers; undefined if unknown, then every way counts. */
  readonly style: ClientStyle | undefined;
  /** Milliseconds after which it gives up waiting, if its config says nothing else. Some then run the call. */
  readonly patience: number;
  /** Variable with the folder of the project, if there is one. */
  readonly projectVariable?: string;
  /** Reads what it asks; undefined if that is no call of a tool. */
  read(payload: Payload): HookCall | undefined;
  /** The words that stop the call. @param why for the model; not empty */
  deny(why: string): HookAnswer;
}

/** No opinion: the client's own permissions decide. Never `allow`, which would skip the client's question to its user. */
export const NO_OPINION: HookAnswer = { stdout: '', stderr: '', code: 0 };

/** Denies by the exit code, in the way of most clients. Without a text on stderr, some would run the call. */
export function denyByCode(why: string): HookAnswer {
  return { stdout: '', stderr: `${why}\n`, code: 2 };
}

/** Most characters of a reason: a pipe takes more without waiting. */
const MOST_WORDS = 8192;

/** The answer that denies a call, in words that fit. */
export function denialBy({ deny }: Pick<HookClient, 'deny'>, why: string): HookAnswer {
  const words = why.trim().slice(0, MOST_WORDS).toWellFormed();
  // A client takes a reason that looks empty for none.
  return deny(/[!-~]/.test(words) ? words : 'clawai denied this call.');
}

/** A call with one form, and those of the same tool under other names. */
export function callOf(
  form: HookForm,
  { style, ...about }: { readonly style: ClientStyle | undefined; readonly id: string; readonly cwd: string | undefined },
  more: readonly HookForm[] = [],
): HookCall {
  const others = (style?.synonyms ?? []).filter((names) => names.has(form.name)).flatMap((names) => [...names]);
  const named = others.filter((name) => name !== form.name).map((name) => ({ ...form, name }));
  return { ...about, forms: [form, ...named, ...more] };
}
