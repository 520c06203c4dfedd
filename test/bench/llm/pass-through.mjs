// A proxy of Node's own parts that looks at nothing, over connections that it keeps.
//   node pass-through.mjs UPSTREAM_PORT
// Prints its port.
import { Agent, createServer, request as ask } from 'node:http';

const agent = new Agent({ keepAlive: true, noDelay: true });
const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const asked = ask({ agent, host: '127.0.0.1', port: Number(process.argv[2]), method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  response.on('close', () => asked.destroy());
  request.pipe(asked);
});
server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
