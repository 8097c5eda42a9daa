import { parseArgs } from 'node:util'

import { channelRoutes } from '@tollgate/contract'
import { startMidjourney, startSuno, startVideoVendors } from '@tollgate/simulator'

import { Console } from '../e2e/console'
import { startGateway } from '../e2e/gateway'
import { openSqlite } from '../gateway/src/platform/store/database'
import { openPostgres } from '../gateway/src/platform/store/postgres'
import { aTask } from '../gateway/test/a-task'
import { cpuClock } from './size/cpu-clock'

/**
 * Measures what polling costs while tasks are open whose vendors answer that they still run: the processor time of the gateway and its
 * database, less what both use without tasks. Needs an empty database where one is named.
 */
const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    /** Shares of drawings, songs and videos, in percent; a question about videos names one of them. */
    mix: { type: 'string', default: '60,30,10' },
    seconds: { type: 'string', default: '30' },
    'database-url': { type: 'string', default: '' },
  },
})

/** A share of a core. */
const allowed = 0.05
/** Each task is asked about once before the measurement: the first report is stored, later ones change nothing. */
const warmUpMs = 75_000
/** How long ago the oldest was submitted. */
const ageMs = 1_800_000
const rowsAtOnce = 500

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const databaseUrl = values['database-url']
const seconds = Number(values.seconds)
await using drawings = await startMidjourney()
await using songs = await startSuno()
await using videos = startVideoVendors()
const vendors = [
  { platform: 'mj', action: 'IMAGINE', type: 2, model: 'mj_imagine', url: drawings.url, stand: drawings },
  { platform: 'suno', action: 'MUSIC', type: 36, model: 'suno_music', url: songs.url, stand: songs },
  { platform: 'video', action: 'GENERATE', type: 1, model: 'sora-2', url: `${videos.url}/openai`, stand: videos },
]
await using gateway = await startGateway({ databaseUrl })
const root = await Console.setUp(gateway.url, { username: 'root', password: 'not-a-real-password' })
const database = databaseUrl ? openPostgres(databaseUrl) : openSqlite(`${gateway.dataDir}/tollgate.sqlite`)
const clock = cpuClock(gateway.processId, databaseUrl)

// As any that has open tasks it has served calls: until the first, a gateway keeps discarding its compiled code.
await fetch(`${gateway.url}/v1/models`)
await Bun.sleep(5000)
const idle = await shareOfCore()
await addTasks()
await Bun.sleep(warmUpMs)
const requestsBefore = requestCount()
const busy = await shareOfCore()
const questions = (requestCount() - requestsBefore) / seconds
const cost = busy - idle
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
console.log(
  `${databaseUrl ? 'PostgreSQL' : 'SQLite'}, ${values.tasks} open tasks (drawings, songs, videos ${values.mix}): ${percent(cost)} of a core ` +
    `for ${questions.toFixed(0)} questions a second; without tasks ${percent(idle)}, at most ${percent(allowed)} is allowed`,
)
await clock.close()
await database.close()
process.exitCode = cost > allowed ? 1 : 0

async function shareOfCore(): Promise<number> {
  const [before, from] = [await clock.read(), performance.now()]
  await Bun.sleep(seconds * 1000)
  return ((await clock.read()) - before) / (performance.now() - from)
}

function requestCount(): number {
  return vendors.reduce((sum, { stand }) => sum + stand.requests.length, 0)
}

async function addTasks(): Promise<void> {
  const now = Date.now()
  const shares = values.mix.split(',').map(Number)
  const rows = []
  for (const [at, { platform, action, type, model, url, stand }] of vendors.entries()) {
    const body = { name: platform, type, models: model, key: 'not-a-real-key', base_url: url, group: 'default' }
    await root.call(channelRoutes.createChannel, { body })
    stand.taskBook.usual = 'hang'
    const count = Math.round((Number(values.tasks) * (shares[at] ?? 0)) / 100)
    for (let index = 0; index < count; index += 1) {
      const task = stand.taskBook.submit({ prompt: 'a harbour', model, seconds: '8', size: '1280x720' })
      if (!task) throw new Error('The stand-in refused a task')
      const age = (index * 104_729) % ageMs
      // Those that are asked about less often are due at any time within their longer pause.
      const spreadMs = Math.min(60_000, Math.max(15_000, Math.round(age / 10)))
      rows.push(
        aTask({
          public_id: `task_${platform}_${index}`,
          platform,
          action,
          model,
          upstream_model: model,
          channel_id: at + 1,
          vendor_id: task.id,
          submitted_at: now - age,
          started_at: now,
          deadline_at: now + 86_400_000,
          poll_at: now + 2000 + ((index * 7919) % spreadMs),
          polls: 10,
        }),
      )
    }
  }
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await database.query
      .insertInto('tasks')
      .values(rows.slice(from, from + rowsAtOnce))
      .execute()
}
