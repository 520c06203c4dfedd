import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { ClientStyle, CodeTool, TypingTool } from '../../protocol/llm/tool-names/client-style.ts';
import { CLIENT_STYLES } from '../../protocol/llm/tool-names/client-styles.ts';
import { type CodeCall, findCodeCalls, type ProgramTools } from '../../core/shell/code-calls.ts';
import type { SyntaxNode } from '../../core/shell/syntax.ts';
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

/** Parses a program; undefined for none that can be read. */
type Parse = (code: string) => SyntaxNode | undefined;

/** Receives what is typed: the text, and the program if it is known. */
type Read = (input: TypedInput, typed: Typed) => TypedLines;
type TypedLines = ReturnType<TypedInput['read']>;

interface Typed {
  readonly session: string | undefined;
  readonly text: string;
}

const NO_LINES: TypedLines = { lines: [], isSure: true };

/**
 * The calls that a model's calls amount to, for the rules that are about these: the commands that are typed into a running shell, line by
 * line, and the calls in programs that an agent runs for its model. One value for each agent, since lines may come in pieces.
 */
export class CallsBehind {
  readonly #typed = new TypedInput();
  #parse: Parse | undefined;
  #isAwaited = false;
  /** The calls of the last program, which is read again when it is made. */
  #last: { readonly code: string; readonly style: ClientStyle; readonly calls: readonly CodeCall[] } | undefined;

  /** Tells whether a call has a program, for which the parser is not loaded yet. */
  isWaiting({ client, names, args }: Made): boolean {
    if (this.#parse !== undefined || args === undefined) return false;
    const hasProgram = stylesOf(client).some(({ code }) => code !== undefined && isNamed(names, code.tool));
    this.#isAwaited ||= hasProgram;
    return hasProgram;
  }

  /** Loads the parser if a call waits for it: other agents' calls don't need it. Never rejects. */
  async load(): Promise<void> {
    if (!this.#isAwaited) return;
    try {
      this.#parse ??= (await import('../../core/shell/parse-program.ts')).parseProgram;
    } catch {
      // Each program counts as one that can't be read.
      this.#parse = () => undefined;
    }
  }

  /** Returns the calls that this one amounts to, in order; none for an ordinary one. The parser has to be there for a program. */
  of(made: Made): readonly CallBehind[] {
    return this.#read(made, (input, { session, text }) => input.read(session, text));
  }

  /**
   * Notes a call that is made: the lines that it leaves unfinished go on in later ones.
   *
   * @param isAsked true if a person has yet to allow it
   * @returns settles that, with what became of the call
   */
  note(made: Made, isAsked: boolean): (isMade: boolean) => void {
    const settling: ((isMade: boolean) => void)[] = [];
    this.#read(made, (input, { session, text }) => {
      settling.push(input.type(session, text, isAsked));
      return NO_LINES;
    });
    return (isMade) => {
      for (const settle of settling) settle(isMade);
    };
  }

  #read({ client, names, args }: Made, read: Read): readonly CallBehind[] {
    if (args === undefined) return [];
    return stylesOf(client).flatMap((style) => {
      const { typing, code } = style;
      if (typing !== undefined && isNamed(names, typing.tool)) return this.#typedCall(typing, args, read);
      return code !== undefined && isNamed(names, code.tool) ? this.#codeCalls(style, code, { args, read }) : [];
    });
  }

  #typedCall({ session, text, runs, command }: TypingTool, args: JsonObject, read: Read): readonly CallBehind[] {
    const { [text]: given } = args;
    const toCall = (line: JsonValue): CallBehind => ({ name: runs, group: undefined, args: { [command]: line } });
    const isKnown = !Array.isArray(given);
    // Texts of a program: one of them may be typed, or what is made of several. A key behind them that nobody knows keeps the line unknown.
    const typed = isKnown ? toText(given) : `${given.join('')}\0`;
    const { lines, isSure } = read(this.#typed, { session: toSession(args[session]), text: typed });
    const calls = isKnown ? lines.map(toCall) : [toCall([...given, ...lines])];
    // No rule allows by its command a line that nobody knows.
    return isKnown && isSure ? calls : [...calls, { name: runs, group: undefined, args: {} }];
  }

  #codeCalls(
    style: ClientStyle,
    code: CodeTool,
    { args, read }: { readonly args: JsonObject; readonly read: Read },
  ): readonly CallBehind[] {
    const { typing } = style;
    const program = args[code.text];
    if (typeof program !== 'string') return [];
    // Lines of a program that types are joined within it as well, whatever becomes of it.
    const own = new TypedInput();
    const readHere: Read = (input, typed) => {
      const [given, inside] = [read(input, typed), own.read(typed.session, typed.text)];
      own.type(typed.session, typed.text, false);
      return { lines: [...new Set([...given.lines, ...inside.lines])], isSure: given.isSure && inside.isSure };
    };
    if (this.#last?.code !== program || this.#last.style !== style)
      this.#last = { code: program, style, calls: findCodeCalls(program, this.#parse?.(program), toolsOf(style, code)) };
    return this.#last.calls.flatMap(({ name, args: given, isBare }): readonly CallBehind[] => [
      // The tools of servers have their group in their names there.
      { name, group: undefined, args: given },
      ...(name === typing?.tool && isBare !== true ? this.#typedCall(typing, given, readHere) : []),
    ]);
  }
}

function toolsOf({ typing, native, inert }: ClientStyle, { tool, text, object, textArgument }: CodeTool): ProgramTools {
  return {
    object,
    textArgument,
    command: typing?.runs ?? tool,
    argumentOf(name) {
      if (name === tool) return text;
      if (name === typing?.runs) return typing.command;
      return name === typing?.tool ? typing.text : textArgument;
    },
    isTool: (name) => name !== tool && ((native.has(name) && inert?.has(name) !== true) || name.startsWith('mcp__')),
  };
}

function stylesOf(client: ClientStyle | undefined): readonly ClientStyle[] {
  return client === undefined ? CLIENT_STYLES : [client];
}

function isNamed(names: readonly NameMeant[], tool: string): boolean {
  return names.some(({ name, group }) => group === undefined && name === tool);
}

function toSession(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function toText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : isJsonObject(value) ? JSON.stringify(value) : String(value);
}
