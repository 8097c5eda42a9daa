import { systemClock } from '../../platform/time/clock'
import { openLogs } from '../../billing/usage-log/open-logs'
import { readConfig, type Config } from '../../platform/config/config'
import type { Database, Queries } from '../../platform/store/database'
import { UsageError, type Command } from './command'
import { sentenceOf } from './difference'
import { differencesIn } from './differences'
import { inSnapshot, openForReading } from './read-only'

/** Recomputes balances and counters from charges and credits, and reports every difference. Read-only. */
export const reconcile: Command = {
  name: 'reconcile',
  parameters: '[--json]',
  summary: 'Recompute balances and counters, and print every difference.',
  details: [
    'Reads the database as of one moment, also while the gateway runs, and changes nothing.',
    'Single charges are kept for 30 days; what is older is compared with the hourly rollups.',
    'Exit code 0: everything agrees. 1: there are differences.',
  ],
  async run(parameters, { environment, print }) {
    const isJson = parameters.includes('--json')
    const unknown = parameters.find((word) => word !== '--json')
    if (unknown !== undefined) throw new UsageError(`reconcile does not take ${unknown}.`)
    const config = readConfig(environment)
    const database = await openForReading(config)
    try {
      const nowSeconds = systemClock.seconds()
      const { differences, compared } = await inSnapshot(database, async (query) => ({
        differences: await compareAll(config, { kind: database.kind, query }, nowSeconds),
        compared: await sizesOf(query),
      }))
      const lines = isJson
        ? [JSON.stringify({ isBalanced: differences.length === 0, compared, differences }, null, 2)]
        : [...differences.map(sentenceOf), conclusion(differences.length, compared)]
      for (const line of lines) print(line)
      return differences.length === 0 ? 0 : 1
    } finally {
      await database.close()
    }
  },
}

/** With ClickHouse, the log there and in the database, each row once. */
async function compareAll(config: Config, database: Pick<Database, 'kind' | 'query'>, nowSeconds: number) {
  const { clickHouse, logs } = await openLogs(config, database)
  try {
    return await differencesIn(database.query, nowSeconds, clickHouse ? logs : undefined)
  } finally {
    await clickHouse?.close()
  }
}

type Sizes = Record<'users' | 'tokens' | 'channels' | 'rollups' | 'charges', number>

async function sizesOf(query: Queries): Promise<Sizes> {
  const size = async (table: keyof Sizes) => {
    const count = query.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'))
    return (await count.executeTakeFirstOrThrow()).rows
  }
  return {
    users: await size('users'),
    tokens: await size('tokens'),
    channels: await size('channels'),
    rollups: await size('rollups'),
    charges: await size('charges'),
  }
}

function conclusion(differences: number, { users, tokens, channels, rollups, charges }: Sizes): string {
  const compared = `${users} users, ${tokens} tokens, ${channels} channels, ${rollups} hourly sums, ${charges} charges`
  return `Compared ${compared}: ${differences === 0 ? 'everything agrees.' : `${differences} differences.`}`
}
