import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock } from '../gateway/src/platform/time/clock'
import { CatalogStore } from '../gateway/src/channels/catalog/catalog-store'
import { lockPrices, storePrices } from '../gateway/src/billing/pricing/price-store'
import { Changes } from '../gateway/src/platform/store/changes'
import { openDataFolder, secretKeyOf } from '../gateway/src/platform/store/data-folder'
import { openSqlite, type Transaction } from '../gateway/src/platform/store/database'
import { createSeal } from '../gateway/src/platform/store/seal'
import { medianOf } from './quantile'
import { systemTimers } from '../gateway/src/platform/time/timers'

const rounds = 9

/** Milliseconds of processor time from the news of a change until the next snapshot is in force, the median of some. */
export interface SwapTimes {
  readonly prices: number
  readonly channels: number
}

/** Swaps the snapshot of a site that `fill` makes, in this process and without any calls. */
export async function swapTimes(fill: (dataDir: string) => Promise<void>): Promise<SwapTimes> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-swap-'))
  try {
    await fill(dataDir)
    return await timeSwaps(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function timeSwaps(dataDir: string): Promise<SwapTimes> {
  const folder = openDataFolder(dataDir)
  const database = openSqlite(folder.sqlitePath)
  const changes = new Changes({
    database,
    clock: systemClock,
    timers: systemTimers,
    onError: (error) => {
      throw error
    },
  })
  const seal = createSeal(secretKeyOf(folder, ''))
  await CatalogStore.open({ database, seal, changes, log: { warn() {} } })
  const swap = async (write: (transaction: Transaction, round: number) => Promise<unknown>) => {
    const spent: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      await database.query.transaction().execute((transaction) => write(transaction, round))
      const before = process.cpuUsage()
      await changes.deliver()
      const { user, system } = process.cpuUsage(before)
      spent.push((user + system) / 1000)
    }
    return medianOf(spent)
  }
  const context = { changes, clock: systemClock }
  const prices = await swap(async (transaction, round) => {
    await lockPrices(context, transaction)
    const write = { channelId: 0, model: 'model-1', entry: { prices: { input: round } } }
    await storePrices(context, [write], { source: 'own', username: 'root' }, transaction)
  })
  const channels = await swap(async (transaction, round) => {
    await changes.announce({ topic: 'catalog', refId: 0 }, transaction)
    await transaction
      .updateTable('channels')
      .set({ name: `edited ${round}` })
      .where('id', '=', 1)
      .execute()
  })
  await database.close()
  return { prices, channels }
}
