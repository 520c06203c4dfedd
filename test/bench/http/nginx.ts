import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

/** Is there an nginx? On some systems it is where only root looks. */
export const NGINX = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'].find(
  (name) => spawnSync(name, ['-v'], { stdio: 'ignore' }).error === undefined,
);

/**
 * Writes what makes nginx pass everything on as it comes, in one process. Port and file of the configuration come back.
 * @param folder of its own; everything that nginx writes goes there
 */
export async function writeNginxConfig(folder: string, upstream: number): Promise<{ port: number; file: string }> {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  writeFileSync(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off; ${temporary.join(' ')}
  upstream behind { server 127.0.0.1:${upstream}; keepalive 256; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port}; keepalive_requests 1000000000; keepalive_timeout 600s;
    location / {
      proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 600s;
    }
  }
}
`,
  );
  return { port, file };
}

/** nginx says nowhere which port it was given, so one is chosen for it. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
