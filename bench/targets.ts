import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { userRoutes } from '@tollgate/contract'

import { Console } from '../e2e/console'
import { freePort, startGateway } from '../e2e/gateway'
import { familyOf, type Cores } from './processes'

/** Something that answers the load: the upstream itself, or what stands before it. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly key: string
  /** Its clients may speak another dialect than the upstream. */
  readonly translates: boolean
  /** Processes whose CPU and memory count; none for the upstream, which shares its process with the load. */
  processIds(): number[]
  stop(): Promise<void>
}

export const direct = (port: number): Target => ({
  name: 'direct',
  port,
  key: 'sk-upstream',
  translates: false,
  processIds: () => [],
  async stop() {},
})

/** nginx as a plain reverse proxy with kept connections. Null where it is not installed. */
export async function startNginx(upstreamPort: number, cores: Cores): Promise<Target | null> {
  const program = Bun.which('nginx') ?? Bun.which('nginx', { PATH: '/usr/sbin' })
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'))
  const port = freePort()
  writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port, upstreamPort))
  const child = Bun.spawn([...cores.launcher, program, '-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
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

const nginxConfiguration = (folder: string, port: number, upstreamPort: number): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
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

async function untilItListens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 250; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/models`).catch(() => null)
    if (answer) return
    await Bun.sleep(20)
  }
  throw new Error(`Nothing listens on port ${port}`)
}

export interface GatewayTarget extends Target {
  readonly dataDir: string
  /** Remove what the run left, once it has been read. */
  remove(): void
}

export const benchModel = 'gpt-4o-mini'
/** One quota a prompt token, two a completion token. */
export const benchRatios = { model: 1, completion: 2 }
/** More than any run makes. */
const plenty = 50_000_000

/** The gateway with everything on: a limited key, rate limits, reservations, durable charges and log rows. */
export async function startGoverned(upstreamUrl: string, cores: Cores): Promise<GatewayTarget> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const gateway = await startGateway({ dataDir, launcher: cores.launcher })
  const admin = await Console.setUp(gateway.url, { username: 'root', password: 'not-a-real-password' })
  await admin.setOptions({
    ModelRatio: { [benchModel]: benchRatios.model },
    CompletionRatio: { [benchModel]: benchRatios.completion },
    ModelRequestRateLimitEnabled: true,
    ModelRequestRateLimitCount: plenty,
    ModelRequestRateLimitSuccessCount: plenty,
  })
  await admin.call(userRoutes.updateUser, { body: { id: admin.userId, quota: 1_000_000_000_000 } })
  // By the address of its one call, so that no other dialect is passed on to it.
  await admin.addChannel({
    name: 'bench',
    type: 8,
    base_url: `${upstreamUrl}/v1/chat/completions`,
    models: benchModel,
  })
  const key = await admin.addToken({
    name: 'bench',
    unlimited_quota: false,
    remain_quota: 100_000_000_000,
    rate_limit_enabled: true,
    rate_limit_period: 60,
    rate_limit_count: plenty,
    rate_limit_success: plenty,
  })
  return {
    name: 'Tollgate',
    port: gateway.port,
    key,
    translates: true,
    dataDir,
    processIds: () => familyOf(gateway.processId),
    async stop() {
      await gateway.stop()
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
