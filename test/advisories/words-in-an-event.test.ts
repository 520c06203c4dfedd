import { describe, expect, it } from 'vitest';
import { detecting, found, ORDER } from '../support/poisoned.ts';
import { callOf, post, said } from '../support/post.ts';
import { useScripted } from '../support/use-scripted.ts';
import { until } from '../support/until.ts';

/**
 * Events of other names than `message` may hold words instead of JSON. Clients that take every event for a message show these in the error that they
 * make of it, and nobody had looked at them.
 */
const scripted = useScripted({ policy: detecting('on_result = "redact"') });

async function sent(data: string): Promise<string> {
  scripted.current.server.script = ({ message: { id } }, response) => {
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'fine' }] } });
    const events = `id: 7\nevent: status\n${data
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join('')}\ndata: ${answer}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
  };
  const answer = await post(scripted.current.serving.url('s'), callOf(1));
  expect(said(answer)).toBe('fine');
  return answer.text;
}

describe('an order in an event of another name does not reach the client', () => {
  it.each([
    ['words', ORDER],
    ['a text of JSON', JSON.stringify(ORDER)],
    ['one in escapes', `"${[...ORDER].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`],
    ['in several lines', `Status:\n${ORDER}\nend`],
    ['behind blanks', `\t  ${ORDER}`],
  ])('%s', async (_name, data) => {
    const text = await sent(data);
    expect(text).not.toMatch(/id_rsa|sidenote|Do not tell|\\u0069\\u0064/);
    // Where the client goes on from does not change by that.
    expect(text).toContain('id: 7\ndata:\n\n');
  });

  it('and is told', async () => {
    await sent(ORDER);
    await until('it is told', () => found(scripted.current.sandbox).length > 0);
    expect(found(scripted.current.sandbox)[0]).toMatchObject({ origin: 'error' });
  });
});

it.each([['1'], ['ok'], ['The index is being built, please wait'], ['"2026-01-01T00:00:00.000Z"']])(
  'honest words go on as they came: %s',
  async (data) => {
    expect(await sent(data)).toContain(`id: 7\nevent: status\ndata: ${data}\n\n`);
  },
);
