import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as TcpServer } from 'node:net';

/** Listens at a free port of this machine. */
export async function portOf(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** An HTTP proxy that connects to this machine, whatever host it is asked for. */
export class ConnectProxy {
  /** The targets that it was asked for, `host:port`, and the logins. */
  readonly asked: string[] = [];
  readonly logins: (string | undefined)[] = [];
  /** Refuses everything, if it is not 200. */
  status = 200;
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('connect', ({ url = '', headers }, socket) => {
      this.asked.push(url);
      this.logins.push(headers['proxy-authorization']);
      if (this.status !== 200) return void socket.end(`HTTP/1.1 ${this.status} No\r\ncontent-length: 0\r\n\r\n`);
      const onward = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [onward, socket]) end.on('error', () => {});
    });
  }

  static async start(): Promise<ConnectProxy> {
    const server = createServer((_request, response) => response.writeHead(405).end());
    return new ConnectProxy(server, await portOf(server));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
