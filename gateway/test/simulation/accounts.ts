import type { LogEntry, Payer } from '../../src/billing/ledger/ledger'
import type { Database } from '../../src/platform/store/database'
import { aToken, aUser, anEntry } from '../ledger'
import type { Dice } from './dice'

/** A payer, and the name of its key in the log. */
export interface Account extends Payer {
  readonly tokenName: string
}

export interface Accounts {
  readonly all: readonly Account[]
  readonly users: readonly number[]
  readonly limitedTokens: readonly number[]
  readonly channels: readonly number[]
}

/** Poor and rich users, keys with a balance of their own, keys without, and calls without a key. */
const quotas = [
  { quota: 100_000, keys: [null, 5000] },
  { quota: 2000, keys: [1000, 300, null] },
  { quota: 300, keys: [200] },
  { quota: 50, keys: [] },
  { quota: 0, keys: [null] },
] as const

export async function makeAccounts(database: Database): Promise<Accounts> {
  const all: Account[] = []
  const users: number[] = []
  const limitedTokens: number[] = []
  for (const { quota, keys } of quotas) {
    const userId = await aUser(database, quota)
    users.push(userId)
    all.push({ userId, tokenId: 0, isTokenLimited: false, tokenName: '' })
    for (const keyQuota of keys) {
      const tokenId = await aToken(database, userId, keyQuota)
      if (keyQuota !== null) limitedTokens.push(tokenId)
      all.push({ userId, tokenId, isTokenLimited: keyQuota !== null, tokenName: `key-${tokenId}` })
    }
  }
  const channels: number[] = []
  for (const name of ['first', 'second', 'third']) {
    const { id } = await database.query
      .insertInto('channels')
      .values({ type: 1, name, key_sealed: '', tag: null, created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    channels.push(id)
  }
  return { all, users, limitedTokens, channels }
}

/** Returns a random log entry of a call at a time. */
export const anyEntry = (dice: Dice, account: Account, channels: readonly number[], nowMs: number): LogEntry =>
  anEntry({
    createdAt: Math.floor(nowMs / 1000),
    userId: account.userId,
    tokenId: account.tokenId,
    tokenName: account.tokenName,
    modelName: dice.oneIn(3) ? 'large' : 'small',
    group: dice.oneIn(4) ? 'vip' : 'default',
    channelId: dice.pick(channels) ?? 0,
    useTimeSeconds: dice.below(30),
    promptTokens: dice.below(1000),
    completionTokens: dice.below(1000),
  })
