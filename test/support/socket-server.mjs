// A server whose words are a test's: its stdin goes to a socket of the test, and what comes from there to its stdout.
//   node socket-server.mjs PORT
// It ends when the test ends the socket.
import { connect } from 'node:net';

const socket = connect({ port: Number(process.argv[2]), host: '127.0.0.1', allowHalfOpen: true });
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.once('end', () => process.stdout.end(() => process.exit(0)));
