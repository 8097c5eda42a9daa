import { channelRoutes, priceRoutes, type PriceEntry } from '@tollgate/contract'

import { Console } from '../../e2e/console'
import { openDataFolder, secretKeyOf } from '../../gateway/src/platform/store/data-folder'
import { openSqlite } from '../../gateway/src/platform/store/database'
import { migrate } from '../../gateway/src/platform/store/migrate'
import { createSeal } from '../../gateway/src/platform/store/seal'
import { channels, priceEntries, type Sizes } from '../fill/rows'
import { heldWhile } from '../held'
import { Lab } from '../lab'
import { load, type LoadResult } from '../load'
import { requestFor, warmUp } from '../measure'
import { quantile } from '../quantile'
import { swapTimes, type SwapTimes } from '../swap-time'
import { table } from '../tables'
import { benchAdmin, startTollgate } from '../tollgate'
import { figureName, type Part } from './part'

const sizes = { models: 5000, channels: 2000 }
const connections = 32
const pauseMs = 250
const minMs = 4000
const rounds = 5

interface Phase {
  readonly title: string
  readonly name: 'quiet' | 'prices' | 'channels'
  /** What is done all the while, a pause between two. */
  readonly change?: (admin: Console, turn: number) => Promise<unknown>
}

/** Every price is another than before, so that nothing of the book can stay. */
const entryOf = (turn: number): PriceEntry => ({ prices: { input: 1 + turn / 1000, output: 4 } })

const phases: readonly Phase[] = [
  { title: 'nothing changes', name: 'quiet' },
  {
    title: 'prices change',
    name: 'prices',
    change: (admin, turn) =>
      admin.call(priceRoutes.putPrices, { body: { items: [{ model: 'model-1', entry: entryOf(turn) }] } }),
  },
  {
    title: 'channels change',
    name: 'channels',
    change: (admin, turn) => admin.call(channelRoutes.updateChannel, { body: { id: 1, name: `edited ${turn}` } }),
  },
]

export const changes: Part = {
  name: 'changes',
  title: 'Changes under load',
  about:
    `Small calls at ${connections} connections through a gateway with ${sizes.models.toLocaleString('en')} priced models and ${sizes.channels.toLocaleString('en')} channels, ` +
    `while a price or a channel is changed every ${pauseMs} ms besides the time that a change takes. Held: for how long a call that asks nothing of the database ` +
    'waits at most while a change takes effect and no other calls are made; what others do on the machine is part of it, as the first row shows. ' +
    'Swap: processor time from the news of a change until the next snapshot is in force.',
  async run({ cores, milliseconds }) {
    await using lab = await Lab.open(cores, [(ground) => startTollgate(ground, { fill })])
    const [target] = lab.targets
    if (!target) throw new Error('The gateway is missing')
    const url = `http://127.0.0.1:${target.port}`
    const admin = await Console.signIn(url, benchAdmin)
    await warmUp(lab)
    const request = requestFor(target, { isStream: false })
    const options = { port: target.port, connections, request, maxCalls: Infinity }
    const rows: string[][] = []
    const figures: Record<string, number> = {}
    for (const { title, name, change } of phases) {
      const ms = Math.max(milliseconds, minMs)
      const work = () => load({ ...options, milliseconds: ms })
      const { result, turns } = await concurrent(admin, change, () => lab.count(target, work))
      const held = await maxHeld(url, async (turn) => change?.(admin, turns + turn))
      const { latencies, calls, seconds } = result
      const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(latencies, part)) as [number, number, number]
      rows.push([
        title,
        String(turns),
        (calls / seconds).toFixed(0),
        ...[p50, p99, max].map((one) => one.toFixed(2)),
        held.toFixed(1),
      ])
      figures[figureName(`changes-${name}`, 'Tollgate', 'p99')] = p99
      figures[figureName(`changes-${name}`, 'Tollgate', 'held')] = held
    }
    const verdict = await lab.close()
    const swaps = await swapTimes(fill)
    const all = rows.map(([title = '', ...cells], at) => [title, ...cells, swapCell(swaps, phases[at])])
    return {
      text: table(['', 'changes', 'calls/s', 'p50 ms', 'p99 ms', 'most ms', 'held ms', 'swap ms'], all),
      figures: {
        ...figures,
        [figureName('changes-prices', 'Tollgate', 'swap')]: swaps.prices,
        [figureName('changes-channels', 'Tollgate', 'swap')]: swaps.channels,
      },
      verdict,
    }
  },
}

const swapCell = (swaps: SwapTimes, phase?: Phase): string =>
  phase === undefined || phase.name === 'quiet' ? '–' : swaps[phase.name].toFixed(1)

/** Makes changes until the work is done. */
async function concurrent(admin: Console, change: Phase['change'], work: () => Promise<LoadResult>) {
  const working = { isDone: false }
  let turns = 0
  const changing = (async () => {
    if (!change) return
    while (!working.isDone) {
      await change(admin, (turns += 1))
      await Bun.sleep(pauseMs)
    }
  })()
  const result = await work()
  working.isDone = true
  await changing
  return { result, turns }
}

async function maxHeld(url: string, change: (turn: number) => Promise<unknown>): Promise<number> {
  let max = 0
  for (let turn = 1; turn <= rounds; turn += 1) max = Math.max(max, await heldWhile(url, () => change(turn)))
  return max
}

async function fill(dataDir: string): Promise<void> {
  const folder = openDataFolder(dataDir)
  const all: Sizes = {
    ...sizes,
    logs: 0,
    users: 0,
    tokens: 0,
    acts: 0,
    tasks: 0,
    now: Math.floor(Date.now() / 1000),
    passwordHash: '',
    sealedKey: createSeal(secretKeyOf(folder, '')).seal('sk-upstream'),
  }
  const database = openSqlite(folder.sqlitePath)
  await migrate(database)
  await channels(database, all)
  await priceEntries(database, all)
  await database.close()
}
