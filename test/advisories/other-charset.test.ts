import { afterEach, describe, expect, it } from 'vitest';
import { callOf, post } from '../support/post.ts';
import { answerOk } from '../support/scripted-server.ts';
import { useScripted } from '../support/use-scripted.ts';

/**
 * Whoever decodes a body by the charset in its Content-Type reads other messages in it than those that were judged as UTF-8: Express's JSON
 * parser knows UTF-7, Python's httpx every codec that Python has. A comment of an event stream is a whole event in UTF-7.
 */
const scripted = useScripted({
  policy: '[defaults]\naction = "allow"\n[[rule]]\nid = "no"\ntool = "denied"\naction = "deny"\n',
});
afterEach(() => {
  scripted.current.server.seen.length = 0;
  scripted.current.server.script = answerOk;
});

const UTF8 = ['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'application/json; v=1'];
const OTHERS = [
  'application/json; charset=utf-7',
  'application/json;charset=utf-16',
  'Application/JSON; Charset="UTF-7"',
  'application/json; charset=utf-8; charset=utf-7',
  "application/json; charset*=us-ascii''utf-7",
  'application/json; charset*0=utf-; charset*1=7',
  'application/json; a="; charset=utf-7"',
];

describe('a call', () => {
  // As UTF-7 its tool is another one.
  const dressed = JSON.stringify(callOf(1)).replace('"t"', '"t+ACIALAAi-name+ACIAOgAi-denied"');

  it.each(OTHERS)('in %s reaches no server', async (type) => {
    const { status, text } = await post(scripted.current.serving.url('s'), dressed, { 'content-type': type });
    expect([status, text]).toEqual([415, expect.stringContaining('UTF-8')]);
    expect(scripted.current.server.seen).toEqual([]);
  });

  it.each(UTF8)('in %s reaches it as it is', async (type) => {
    const { status } = await post(scripted.current.serving.url('s'), callOf(1), { 'content-type': type });
    expect([status, scripted.current.server.seen.map(({ headers }) => headers['content-type'])]).toEqual([200, [type]]);
  });
});

describe('an answer', () => {
  const result = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const types = [
    ['; charset=utf-7', ''],
    [';charset=cp037', ''],
    ['; charset=unicode_escape', ''],
    ['; charset=utf-8; charset=utf-7', ''],
    ["; charset*=''utf-7", ''],
    ['; a=application/json', ''],
    ['; a=text/event-stream', ''],
    ['; charset=utf-8', '; charset=utf-8'],
    ['', ''],
  ] as const;
  it.each(types)('whose type goes on with %j is read as it was judged', async (parameters, left) => {
    const type = `text/event-stream${parameters}`;
    scripted.current.server.script = (_, response) => {
      response.writeHead(200, { 'content-type': type }).end(`: +AAoACg-data: {}+AAoACg-\n\ndata: ${result}\n\n`);
    };
    expect((await post(scripted.current.serving.url('s'), callOf(1))).headers.get('content-type')).toBe(
      `text/event-stream${left}`,
    );
    scripted.current.server.script = (_, response) => {
      response.writeHead(200, { 'content-type': `application/json${parameters}` }).end(result);
    };
    const { headers, text } = await post(scripted.current.serving.url('s'), callOf(1));
    expect([headers.get('content-type'), text]).toEqual([`application/json${left}`, result]);
  });

  it.each([400, 500])('of status %i that may be a message is so, too', async (status) => {
    scripted.current.server.script = (_, response) => {
      const type = 'application/json; charset=utf-7';
      response.writeHead(status, { 'content-type': type }).end(result.replace('result', 'error'));
    };
    const { headers } = await post(scripted.current.serving.url('s'), callOf(1));
    expect(headers.get('content-type')).toBe('application/json');
  });
});
