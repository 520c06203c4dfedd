import { beforeEach, expect, it } from 'vitest';
import { callOf, post } from '../support/post.ts';
import { exchange, head } from '../support/raw-http.ts';
import { useScripted } from '../support/use-scripted.ts';

/**
 * `Mcp-Name` is held against the body, and a program behind CGI or WSGI finds `Mcp_Name` under the same name. What is not ASCII in a header,
 * servers decode as Latin-1 or as UTF-8, and it names two tools.
 */
const scripted = useScripted({});
beforeEach(() => void (scripted.current.server.seen.length = 0));

it.each(['mcp_name', 'Mcp_Method', 'MCP.Name', 'mcp-session_id', 'mcp_param_path', 'content_type', 'transfer_encoding'])(
  '%s reaches no server',
  async (name) => {
    expect((await post(scripted.current.serving.url('s'), callOf(1), { [name]: 'other' })).status).toBe(200);
    expect(Object.keys(scripted.current.server.seen[0]?.headers ?? {})).not.toContain(name.toLowerCase());
  },
);

it.each(['api_key', 'CONTEXT7_API_KEY', 'x.y'])('%s goes on', async (name) => {
  await post(scripted.current.serving.url('s'), callOf(1), { [name]: 'mine' });
  expect(scripted.current.server.seen[0]?.headers[name.toLowerCase()]).toBe('mine');
});

it('a name that is not ASCII has to be encoded', async () => {
  const { origin, pathname } = new URL(scripted.current.serving.url('s'));
  // The bytes that are é in UTF-8; in Latin-1 they are what the body says.
  const body = Buffer.from(JSON.stringify(callOf(1, {}, '\u00c3\u00a9'))).toString('latin1');
  const lines = [`host: ${new URL(origin).host}`, 'content-type: application/json', `content-length: ${body.length}`];
  const request = head(`POST ${pathname} HTTP/1.1`, ...lines, 'mcp-name: \u00c3\u00a9', 'connection: close') + body;
  expect(await exchange(origin, request)).toMatch(/^HTTP\/1\.1 400 /);
  expect(scripted.current.server.seen).toEqual([]);
  const encoded = `=?base64?${Buffer.from('\u00c3\u00a9').toString('base64')}?=`;
  expect((await post(scripted.current.serving.url('s'), callOf(1, {}, '\u00c3\u00a9'), { 'mcp-name': encoded })).status).toBe(
    200,
  );
});
