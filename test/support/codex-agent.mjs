// Stands in for Codex: asks for the models at the address that its arguments lead it to, with the key or the login of its environment, and
// prints its arguments as a line of JSON. The last argument of a setting counts.
const args = process.argv.slice(2);
const values = args.flatMap((arg, at) => {
  const value = /^(?:openai_base_url|model_providers\.\w+\.base_url)=(.*)$/s.exec(arg)?.[1];
  return args[at - 1] === '-c' && value !== undefined ? [value.replace(/^"(.*)"$/, '$1')] : [];
});
const { TOKEN = '', ACCOUNT } = process.env;
const headers = { authorization: `Bearer ${TOKEN}`, originator: 'codex_exec', ...(ACCOUNT && { 'chatgpt-account-id': ACCOUNT }) };
const answer = values.length === 0 ? undefined : await fetch(`${values.at(-1)}/models?client_version=1`, { headers });
process.stdout.write(`${JSON.stringify({ args, status: answer?.status })}\n`);
