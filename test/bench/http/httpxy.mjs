// A proxy out of the library httpxy that does nothing but pass on, over connections that it keeps.
//   node httpxy.mjs UPSTREAM_PORT
// Prints its port.
import { Agent, createServer } from 'node:http';
import { createProxyServer } from 'httpxy';

const agent = new Agent({ keepAlive: true });
const proxy = createProxyServer({ target: `http://127.0.0.1:${process.argv[2]}`, agent });
const server = createServer((request, response) => {
  proxy.web(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
