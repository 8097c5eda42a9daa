import { watch } from 'node:fs'
import { join } from 'node:path'

import { launchedByThisProcess, launchersOf, watchLaunchers } from '../gateway/src/app/process/launchers'

/**
 * The gateway, started anew whenever a source file changes, and the console with hot replacement of what changes.
 * Open the address that Vite prints: it asks this gateway. Ctrl-C ends both.
 */
const root = join(import.meta.dir, '..')
const sources = ['contract/src', 'models/src', 'dialects/src', 'providers/src', 'gateway/src']
const quietMs = 150
const gatewayUrl = `http://127.0.0.1:${process.env['PORT'] || 3000}`
const inherited = { stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' } as const

const startGateway = () =>
  Bun.spawn([process.execPath, 'gateway/src/main.ts'], {
    cwd: root,
    env: { ...process.env, ...launchedByThisProcess() },
    ...inherited,
  })

const vite = Bun.spawn([process.execPath, 'node_modules/vite/bin/vite.js', '--clearScreen', 'false'], {
  cwd: join(root, 'console'),
  env: { ...process.env, GATEWAY_URL: gatewayUrl },
  ...inherited,
})
let gateway = startGateway()
let timer: ReturnType<typeof setTimeout> | undefined
let restarting = Promise.resolve()
let isEnding = false

async function restart() {
  gateway.kill('SIGTERM')
  await gateway.exited
  if (!isEnding) gateway = startGateway()
}

for (const folder of sources) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || !/\.(ts|json)$/.test(file) || file.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      restarting = restarting.then(restart)
    }, quietMs)
  })
}

async function end() {
  isEnding = true
  clearTimeout(timer)
  vite.kill('SIGTERM')
  gateway.kill('SIGTERM')
  await Promise.all([restarting, vite.exited, gateway.exited])
  process.exit(gateway.exitCode ?? 0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
watchLaunchers(launchersOf(process.pid), () => void end())
