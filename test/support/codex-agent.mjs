// Stands in for Codex: asks for the models at the address that its arguments lead it to, with the key or the login of its environment, and
// prints its arguments as a line of JSON. The last argument of a setting counts. Each question in the environment goes to the model, encoded
// as Codex does it after a login, and the types of the items that come are printed too.
import { zstdCompressSync } from 'node:zlib';

const args = process.argv.slice(2);
const values = args.flatMap((arg, at) => {
  const value = /^(?:openai_base_url|model_providers\.\w+\.base_url)=(.*)$/s.exec(arg)?.[1];
  return args[at - 1] === '-c' && value !== undefined ? [value.replace(/^"(.*)"$/, '$1')] : [];
});
const { TOKEN = '', ACCOUNT, ASKS = '' } = process.env;
const headers = { authorization: `Bearer ${TOKEN}`, originator: 'codex_exec', ...(ACCOUNT && { 'chatgpt-account-id': ACCOUNT }) };
const answer = values.length === 0 ? undefined : await fetch(`${values.at(-1)}/models?client_version=1`, { headers });
const items = [];
for (const input of ASKS.split(',').filter((ask) => ask !== '')) {
  const body = zstdCompressSync(JSON.stringify({ model: 'm', input, stream: true }));
  const asking = {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'zstd' },
  };
  const text = await (await fetch(`${values.at(-1)}/responses`, asking)).text();
  items.push(...[...text.matchAll(/^data: (.*output_item\.done.*)$/gm)].map(([, data]) => JSON.parse(data).item.type));
}
process.stdout.write(`${JSON.stringify({ args, status: answer?.status, ...(ASKS === '' ? {} : { items }) })}\n`);
