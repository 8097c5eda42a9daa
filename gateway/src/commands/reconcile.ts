import { readConfig } from '../config'
import type { Queries } from '../store/database'
import { UsageError, type Command } from './command'
import type { Check } from './difference'
import { differencesIn } from './differences'
import type { Difference } from './difference'
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
    const database = await openForReading(readConfig(environment))
    try {
      const nowSeconds = Math.floor(Date.now() / 1000)
      const { differences, compared } = await inSnapshot(database, async (query) => ({
        differences: await differencesIn(query, nowSeconds),
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

const meanings: Record<Check, { of: string; what: string; instead: string }> = {
  'user-balance': { of: 'user', what: 'free + leased + held + used', instead: 'credited' },
  'user-holds': { of: 'user', what: 'holds', instead: 'tasks that have not ended' },
  'user-used-quota': { of: 'user', what: 'used quota', instead: 'in the hourly sums' },
  'user-request-count': { of: 'user', what: 'request count', instead: 'in the hourly sums' },
  'user-earned': { of: 'user', what: 'earned by invitations', instead: 'in rewarded invitations' },
  'user-purse': { of: 'user', what: 'invitation quota in the purse and moved to the balance', instead: 'earned' },
  'invitee-credit': { of: 'user', what: 'credited for being invited', instead: 'in rewarded invitations' },
  'code-uses': { of: 'redemption code', what: 'uses counted', instead: 'uses recorded' },
  'code-credit': { of: 'user', what: 'credited for codes', instead: 'in recorded uses' },
  'order-credit': { of: 'order', what: 'credited', instead: 'due by what was paid and paid back' },
  'top-up-credit': { of: 'user', what: 'credited for top-ups', instead: 'in orders' },
  'token-used-quota': { of: 'token', what: 'used quota', instead: 'charged' },
  'channel-used-quota': { of: 'channel', what: 'used quota', instead: 'in the hourly sums' },
  'hour-quota': { of: 'user', what: 'quota in the hourly sum', instead: 'charged' },
  'column-hour': { of: 'column', what: 'quota by the hour', instead: 'in the hourly sums' },
  'column-day': { of: 'column', what: 'quota by the day', instead: 'in the hourly sums' },
  'measure-calls': { of: 'measures', what: 'calls', instead: 'expected' },
  'measure-tokens': { of: 'measures', what: 'tokens', instead: 'expected' },
  'measure-times': { of: 'measures', what: 'calls in a bucket of times', instead: 'expected' },
  'measure-errors': { of: 'measures', what: 'failed attempts of a code', instead: 'expected' },
  'hour-count': { of: 'user', what: 'calls in the hourly sum', instead: 'charged' },
}

function sentenceOf({ check, id, hour, channelId, found, expected }: Difference): string {
  const { of, what, instead } = meanings[check]
  const where = channelId === undefined ? '' : `, channel ${channelId}`
  const when = hour === undefined ? '' : `${where}, hour ${new Date(hour * 1000).toISOString()}`
  return `${of} ${id}${when}: ${what} ${found}, ${instead} ${expected}, difference ${found - expected}`
}

function conclusion(differences: number, { users, tokens, channels, rollups, charges }: Sizes): string {
  const compared = `${users} users, ${tokens} tokens, ${channels} channels, ${rollups} hourly sums, ${charges} charges`
  return `Compared ${compared}: ${differences === 0 ? 'everything agrees.' : `${differences} differences.`}`
}
