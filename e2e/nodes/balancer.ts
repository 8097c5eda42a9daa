import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../gateway'
import { until } from '../ledger-view'

/** One address for several gateways. */
export interface Balancer extends AsyncDisposable {
  readonly kind: 'nginx' | 'connections'
  readonly url: string
}

/** Starts nginx as `deploy/compose` configures it where it is installed, or else a round-robin TCP proxy. */
export function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const program = Bun.which('nginx') ?? Bun.which('nginx', { PATH: '/usr/sbin' })
  return program ? startNginx(program, ports) : startConnections(ports)
}

const deployed = join(import.meta.dir, '../../deploy/compose/nginx.conf')

async function startNginx(program: string, ports: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-balancer-'))
  const port = freePort()
  writeFileSync(join(folder, 'nginx.conf'), onThisMachine(await Bun.file(deployed).text(), folder, port, ports))
  const child = Bun.spawn([program, '-p', folder, '-c', 'nginx.conf', '-e', 'errors'], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  const response = await until(
    () => fetch(`${url}/health/live`).catch(() => null),
    (response) => response !== null || child.exitCode !== null,
  )
  if (!response) throw new Error(`nginx does not answer: ${await Bun.file(join(folder, 'errors')).text()}`)
  return {
    kind: 'nginx',
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Adapts the deployed configuration to this machine's addresses and files and one process; the proxying stays unchanged. */
function onThisMachine(text: string, folder: string, port: number, ports: readonly number[]): string {
  const servers = ports.map((port) => `server 127.0.0.1:${port} max_fails=2 fail_timeout=5s;`).join('\n    ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const changed = text
    .replace('worker_processes auto;', `daemon off; master_process off; pid ${folder}/pid;`)
    .replace(/worker_rlimit_nofile.*\n/, '')
    .replace('worker_connections 16384', 'worker_connections 1024')
    .replace('http {', `http {\n  ${temporary.join('\n  ')}`)
    .replace('/var/log/nginx/access.log', `${folder}/access`)
    .replace(/resolver .*\n/, '')
    .replace(/(server gateway-\w:3000 .*\s+)+/, `${servers}\n    `)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  if (/gateway-a|listen 80|var\/log/.test(changed)) throw new Error(`${deployed} has changed its form`)
  return changed
}

/** Each connection goes to the next gateway that accepts it. */
async function startConnections(ports: readonly number[]): Promise<Balancer> {
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const first = (turn += 1)
    const dial = (attempt: number) => {
      const socket = connect(ports[(first + attempt) % ports.length] ?? 0, '127.0.0.1')
      let isOpen = false
      socket.once('connect', () => {
        isOpen = true
        client.pipe(socket)
        socket.pipe(client)
      })
      socket.on('error', () => (!isOpen && attempt + 1 < ports.length ? dial(attempt + 1) : client.destroy()))
      socket.on('close', () => isOpen && client.destroy())
      client.on('close', () => socket.destroy())
    }
    open.add(client)
    client.on('error', () => {})
    client.on('close', () => open.delete(client))
    dial(0)
  })
  const port = freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    kind: 'connections',
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const client of open) client.destroy()
    },
  }
}
