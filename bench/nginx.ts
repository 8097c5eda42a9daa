import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../e2e/gateway'
import { familyOf } from './processes'
import { spawnQuietly, untilItListens, type Ground, type Target } from './targets'

/** nginx as a plain reverse proxy with kept connections. Null where it is not installed. */
export async function startNginx({ upstream, cores }: Ground): Promise<Target | null> {
  const program = Bun.which('nginx') ?? Bun.which('nginx', { PATH: '/usr/sbin' })
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'))
  const port = freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, upstream.port))
  const child = spawnQuietly([...cores.launcher, program, '-p', folder, '-c', 'nginx.conf', '-e', 'error.log'])
  await untilItListens(port)
  return {
    name: 'nginx',
    port,
    key: 'sk-upstream',
    translates: false,
    processIds: () => familyOf(child.pid),
    async stop() {
      child.kill('SIGQUIT')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (folder: string, port: number, upstreamPort: number): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_max_body_size 0;
  client_body_buffer_size 8m;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream simulator {
    server 127.0.0.1:${upstreamPort};
    keepalive 512;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://simulator;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`
