import { startMidjourney, startSimulator, startSuno } from '../simulator/src/index'

import { Console } from '../e2e/console'
import { startGateway, type Gateway } from '../e2e/gateway'
import { launchersOf, watchLaunchers } from '../gateway/src/app/process/launchers'
import { providerOf } from '../providers/src/index'
import { buildConsole } from './build-console'

/** A gateway with stand-in upstreams behind it, set up and ready to be clicked and called; gone on Ctrl-C. */

const account = { username: 'root', password: 'demo-password' }
const models = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'omni-moderation-latest']
const toTryOut = ['sim:tokens=200;gap=20;ttft=100', 'sim-fault-status-500', 'sim-fault-reset-mid-stream']

await buildConsole()
const simulator = await startSimulator({ models, keepRequests: false, defaults: { tokens: 40, ttftMs: 80, gapMs: 15 } })
const [drawings, songs] = await Promise.all([startMidjourney(), startSuno()])
const gateway = await startGateway({ port: Number(process.env['PORT'] ?? 3000) })
const stopped = untilStopped()
const key = await furnish()
announce(gateway, key)
await stopped
await gateway[Symbol.asyncDispose]()
await Promise.all([simulator.stop(), drawings[Symbol.asyncDispose](), songs[Symbol.asyncDispose]()])
console.log(`\nThe stand-in upstreams served ${simulator.served.total.completed} calls.`)

/** One steady channel, one that fails each third call, one that draws, one that sings, prices for the names that ask for behaviour, and a key. */
async function furnish(): Promise<string> {
  const admin = await Console.setUp(gateway.url, account)
  await admin.setOptions({
    RetryTimes: 2,
    LogErrorEnabled: true,
    ModelRatio: Object.fromEntries(toTryOut.map((model) => [model, 1])),
  })
  const channel = { base_url: simulator.url, models: [...models, ...toTryOut].join(',') }
  await admin.addChannel({ ...channel, name: 'Steady upstream', key: 'sk-steady' })
  const flakyKey = 'sim:fault=status-503;every=3'
  await admin.addChannel({ ...channel, name: 'Flaky upstream', key: flakyKey, priority: 10 })
  const drawing = providerOf(5)?.models.join(',')
  await admin.addChannel({ type: 5, base_url: drawings.url, models: drawing, name: 'Drawing', key: 'sk-drawing' })
  const singing = { type: 36, base_url: songs.url, models: 'suno_music,suno_lyrics' }
  await admin.addChannel({ ...singing, name: 'Songs', key: 'sk-songs' })
  return admin.addToken({ name: 'demo' })
}

function announce(gateway: Gateway, key: string): void {
  console.log(`Tollgate      ${gateway.url}
Administrator ${account.username} / ${account.password}
Key           ${key}
Upstream      ${simulator.url} (a stand-in; one channel to it fails each third call and is retried on the other)

curl -N ${gateway.url}/v1/chat/completions -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hello!"}]}'

curl ${gateway.url}/mj/submit/imagine -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"prompt":"A harbour"}'

More models to try: ${toTryOut.join('  ')}
Ctrl-C stops and forgets everything.`)
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    watchLaunchers(launchersOf(process.pid), resolve)
  })
}
