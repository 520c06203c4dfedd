/** The payload of an event. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** An item of an answer, as it is in the end. */
export type Item = Readonly<Record<string, unknown>>;

const USAGE = { input_tokens: 7, output_tokens: 89, total_tokens: 96 };

/** A whole answer. */
export function response(output: readonly unknown[], more: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'm-1',
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [{ type: 'function', name: 'read', parameters: {} }],
    usage: USAGE,
    ...more,
  };
}

export function frame(payload: WireEvent): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
}

export function call(name: string, args: string, more: object = {}): Item {
  const id = `${name.replaceAll(/\W/g, '')}_${args.length}`;
  return { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, name, arguments: args, status: 'completed', ...more };
}

export function custom(name: string, input: string, more: object = {}): Item {
  return { type: 'custom_tool_call', id: `ctc_${name}`, call_id: `call_${name}`, name, input, status: 'completed', ...more };
}

export function shell(commands: readonly string[], more: object = {}): Item {
  return {
    type: 'shell_call',
    id: 'sh_1',
    call_id: 'call_sh',
    action: { commands, timeout_ms: null, max_output_length: 1000 },
    environment: { type: 'local' },
    status: 'completed',
    ...more,
  };
}

export function message(text: string, id = 'msg_a'): Item {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { type: 'message', id, role: 'assistant', status: 'completed', content };
}

export const REASONING: Item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };

/** Texts of an item that come in pieces: the events, and the member that the events have at the end. */
const PIECES: Readonly<Record<string, readonly [events: string, key: string]>> = {
  function_call: ['function_call_arguments', 'arguments'],
  mcp_call: ['mcp_call_arguments', 'arguments'],
  custom_tool_call: ['custom_tool_call_input', 'input'],
};

/** The events of an item without their numbers. */
export function itemEvents(item: Item, index: number, piece = 7): readonly WireEvent[] {
  const { type } = item;
  const at = { item_id: item['id'], output_index: index };
  const added = (early: object) => ({ type: 'response.output_item.added', output_index: index, item: { ...item, ...early } });
  const done = { type: 'response.output_item.done', output_index: index, item };
  const known = PIECES[String(type)];
  if (known !== undefined) {
    const [events, key] = known;
    const text = String(item[key]);
    return [
      added({ [key]: '', status: 'in_progress' }),
      ...slices(text, piece).map((delta) => ({ type: `response.${events}.delta`, ...at, delta, obfuscation: 'Xy3' })),
      { type: `response.${events}.done`, ...at, [key]: text },
      done,
    ];
  }
  if (type === 'shell_call') {
    const action = item['action'] as { readonly commands: readonly string[] };
    const first = added({ action: { ...action, commands: [] }, status: 'in_progress' });
    const commands = action.commands.flatMap((command, command_index) => [
      { type: 'response.shell_call_command.added', output_index: index, command_index, command: '' },
      ...slices(command, piece).map((delta) => ({
        type: 'response.shell_call_command.delta',
        output_index: index,
        command_index,
        delta,
      })),
      { type: 'response.shell_call_command.done', output_index: index, command_index, command },
    ]);
    return [first, ...commands, done];
  }
  if (type !== 'message') return [added({ status: 'in_progress' }), done];
  const [part] = item['content'] as readonly { readonly text: string }[];
  const text = part?.text ?? '';
  const place = { ...at, content_index: 0 };
  return [
    added({ content: [], status: 'in_progress' }),
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...slices(text, piece).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    done,
  ];
}

export function begun(output: readonly unknown[] = []): readonly WireEvent[] {
  const early = response(output, { status: 'in_progress', usage: null });
  return ['response.created', 'response.in_progress'].map((type) => ({ type, response: early }));
}

export function completed(output: readonly unknown[], more: object = {}): WireEvent {
  return { type: 'response.completed', response: response(output, more) };
}

/** Numbers events, and formats them as a stream. */
export function numbered(events: readonly WireEvent[]): string {
  return numberedFrames(events).join('');
}

export function numberedFrames(events: readonly WireEvent[]): readonly string[] {
  return events.map(({ type, ...rest }, at) => frame({ type, sequence_number: at, ...rest } as WireEvent));
}

/** A whole stream of items, one after the other. */
export function stream(items: readonly Item[], more: object = {}): string {
  return numbered([...begun(), ...items.flatMap((item, index) => itemEvents(item, index)), completed(items, more)]);
}

function slices(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}
