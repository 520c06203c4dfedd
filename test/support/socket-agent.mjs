// An agent that asks OpenAI by a WebSocket, with Node's own client, at the address of its variable. It prints the items that it gets, in turns
// of one connection, as a line of JSON.
const socket = new WebSocket(`${process.env.OPENAI_BASE_URL.replace(/^http/, 'ws')}/responses`, {
  headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}`, 'openai-beta': 'responses_websockets=2026-02-06' },
});
const turns = [];
const ask = (more) => socket.send(JSON.stringify({ type: 'response.create', model: 'm', input: [], ...more }));
socket.addEventListener('open', () => ask({ generate: false }));
socket.addEventListener('message', ({ data }) => {
  const event = JSON.parse(data);
  if (event.type !== 'response.completed') return;
  turns.push(event.response.output);
  if (turns.length < 3) ask({ previous_response_id: event.response.id });
  else socket.close(1000, 'done');
});
socket.addEventListener('close', ({ code }) => process.stdout.write(`${JSON.stringify({ turns, code })}\n`));
