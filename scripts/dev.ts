import { watch } from 'node:fs'

/** The gateway, started anew whenever a source file changes. Ctrl-C ends both. */
const sources = ['contract/src', 'dialects/src', 'providers/src', 'gateway/src']
const quietMs = 150

const start = () =>
  Bun.spawn([process.execPath, 'gateway/src/main.ts'], { stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' })

let gateway = start()
let timer: ReturnType<typeof setTimeout> | undefined
let restarting = Promise.resolve()

async function restart() {
  gateway.kill('SIGTERM')
  await gateway.exited
  gateway = start()
}

for (const folder of sources) {
  watch(folder, { recursive: true }, (_event, file) => {
    if (!file || !/\.(ts|json)$/.test(file) || file.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      restarting = restarting.then(restart)
    }, quietMs)
  })
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    gateway.kill('SIGTERM')
    void gateway.exited.then((code) => process.exit(code))
  })
}
