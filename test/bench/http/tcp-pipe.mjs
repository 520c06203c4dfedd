// The yardstick: what a middleman costs that looks at nothing.
//   node tcp-pipe.mjs UPSTREAM_PORT
// Prints its port.
import { connect, createServer } from 'node:net';

const upstream = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (client) => {
  const behind = connect({ port: upstream, host: '127.0.0.1', noDelay: true });
  client.pipe(behind);
  behind.pipe(client);
  // Whichever side goes first takes the other with it.
  for (const [one, other] of [
    [client, behind],
    [behind, client],
  ]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
