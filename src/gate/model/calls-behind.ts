import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { ClientStyle, CodeTool, TypingTool } from '../../protocol/llm/tool-names/client-style.ts';
import { CLIENT_STYLES } from '../../protocol/llm/tool-names/client-styles.ts';
import { findCodeCalls } from '../../core/shell/code-calls.ts';
import type { NameMeant } from '../../protocol/llm/tool-names/names-meant.ts';
import { TypedInput } from '../../core/shell/typed-input.ts';

/** A call that another call amounts to. */
export interface CallBehind extends NameMeant {
  readonly args: JsonObject;
}

/** A call as a model made it. */
interface Made {
  readonly client: ClientStyle | undefined;
  /** Its possible names. */
  readonly names: readonly NameMeant[];
  readonly args: JsonObject | undefined;
}

/**
 * The calls that a model's calls amount to, for the rules that are about these: the commands that are typed into a running shell, line by
 * line, and the calls in programs that an agent runs for its model. One value for each agent, since lines may come in pieces.
 */
export class CallsBehind {
  readonly #typed = new TypedInput();

  /** Returns the calls that this one amounts to, in order; none for an ordinary one. */
  of(made: Made): readonly CallBehind[] {
    return this.#read(made, (input, { session, text }) => input.readings(session, text));
  }

  /** Notes a call that is made: the lines that it leaves unfinished go on in later ones. */
  note(made: Made): void {
    this.#read(made, (input, { session, text }) => {
      input.type(session, text);
      return [];
    });
  }

  #read({ client, names, args }: Made, read: (input: TypedInput, typed: Typed) => readonly string[]): readonly CallBehind[] {
    if (args === undefined) return [];
    const styles = client === undefined ? CLIENT_STYLES : [client];
    return styles.flatMap(({ typing, code }) => {
      const isNamed = (tool: string): boolean => names.some(({ name, group }) => group === undefined && name === tool);
      if (typing !== undefined && isNamed(typing.tool)) return this.#typedCall(typing, args, read);
      return code !== undefined && isNamed(code.tool) ? this.#codeCalls(code, typing, { args, read }) : [];
    });
  }

  #typedCall(
    { session, text, runs, command }: TypingTool,
    args: JsonObject,
    read: (input: TypedInput, typed: Typed) => readonly string[],
  ): readonly CallBehind[] {
    const lines = read(this.#typed, { session: toText(args[session]), text: toText(args[text]) });
    return lines.map((line) => ({ name: runs, group: undefined, args: { [command]: line } }));
  }

  #codeCalls(
    { text, object, textArgument }: CodeTool,
    typing: TypingTool | undefined,
    { args, read }: { readonly args: JsonObject; readonly read: (input: TypedInput, typed: Typed) => readonly string[] },
  ): readonly CallBehind[] {
    const code = args[text];
    if (typeof code !== 'string') return [];
    // Lines of a program that types are joined within it as well, whatever becomes of it.
    const own = new TypedInput();
    const readHere = (input: TypedInput, typed: Typed): readonly string[] => {
      const lines = [...read(input, typed), ...own.readings(typed.session, typed.text)];
      own.type(typed.session, typed.text);
      return [...new Set(lines)];
    };
    return findCodeCalls(code, object, textArgument).flatMap(({ name, args: given }): readonly CallBehind[] => {
      const isTyped = name === typing?.tool;
      return [{ ...toName(name), args: given }, ...(isTyped ? this.#typedCall(typing, given, readHere) : [])];
    });
  }
}

interface Typed {
  readonly session: string;
  readonly text: string;
}

function toText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : isJsonObject(value) ? JSON.stringify(value) : String(value);
}

/** The tools of servers have their group in their names there. */
function toName(name: string): NameMeant {
  return { name, group: undefined };
}
