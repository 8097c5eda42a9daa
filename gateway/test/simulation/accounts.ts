import type { LogEntry, Payer } from '../../src/billing/ledger/ledger'
import type { Database } from '../../src/platform/store/database'
import { aToken, aUser, anEntry } from '../ledger'
import type { Dice } from './dice'
import { makeWindows, windowShapes, type OwnedWindows } from './windows'

/** A payer, and the name of its key in the log. */
export interface Account extends Omit<Payer, 'windows'> {
  readonly tokenName: string
  /** Those of its user, of its key and of all. */
  readonly owned: readonly OwnedWindows[]
}

/** Returns who pays for a call of an account now. */
export const payerOf = ({ owned, userId, tokenId, isTokenLimited }: Account): Payer => ({
  userId,
  tokenId,
  isTokenLimited,
  windows: owned.flatMap(({ windows }) => windows).toSorted((one, other) => one.id - other.id),
})

export interface Accounts {
  readonly all: readonly Account[]
  readonly users: readonly number[]
  readonly limitedTokens: readonly number[]
  readonly channels: readonly number[]
  readonly windows: readonly OwnedWindows[]
}

/** Poor and rich users, keys with a balance of their own, keys without, and calls without a key; some with windows. */
const quotas = [
  {
    quota: 100_000,
    keys: [null, 5000],
    windows: windowShapes.richUser,
    keyWindows: windowShapes.richKey,
    isShared: true,
  },
  { quota: 2000, keys: [1000, 300, null], windows: windowShapes.poorUser, keyWindows: [], isShared: true },
  { quota: 300, keys: [200], windows: [], keyWindows: windowShapes.poorKey, isShared: false },
  { quota: 50, keys: [], windows: [], keyWindows: [], isShared: false },
  { quota: 0, keys: [null], windows: [], keyWindows: [], isShared: false },
] as const

export async function makeAccounts(database: Database): Promise<Accounts> {
  const all: Account[] = []
  const users: number[] = []
  const limitedTokens: number[] = []
  const windows: OwnedWindows[] = []
  const make = async (...[owner, subjectId, shapes]: MakeParameters) => {
    if (shapes.length === 0) return []
    const owned = await makeWindows(database, owner, subjectId, shapes)
    windows.push(owned)
    return [owned]
  }
  const shared = await make('channel', 1, windowShapes.shared)
  for (const { quota, keys, windows: userWindows, keyWindows, isShared } of quotas) {
    const userId = await aUser(database, quota)
    users.push(userId)
    const ofUser = [...(isShared ? shared : []), ...(await make('user', userId, userWindows))]
    all.push({ userId, tokenId: 0, isTokenLimited: false, tokenName: '', owned: ofUser })
    for (const keyQuota of keys) {
      const tokenId = await aToken(database, userId, keyQuota)
      if (keyQuota !== null) limitedTokens.push(tokenId)
      const owned = keyQuota === null ? ofUser : [...ofUser, ...(await make('token', tokenId, keyWindows))]
      all.push({ userId, tokenId, isTokenLimited: keyQuota !== null, tokenName: `key-${tokenId}`, owned })
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
  return { all, users, limitedTokens, channels, windows }
}

type MakeParameters = readonly [
  owner: OwnedWindows['owner'],
  subjectId: number,
  shapes: Parameters<typeof makeWindows>[3],
]

/** Returns a random log entry of a call at a time. */
export const anyEntry = (
  dice: Dice,
  account: Pick<Account, 'userId' | 'tokenId' | 'tokenName'>,
  channels: readonly number[],
  nowMs: number,
): LogEntry =>
  anEntry({
    createdAt: Math.floor(nowMs / 1000),
    userId: account.userId,
    tokenId: account.tokenId,
    tokenName: account.tokenName,
    modelName: dice.oneIn(3) ? 'large' : 'small',
    group: dice.oneIn(4) ? 'vip' : 'default',
    channelId: dice.pick(channels) ?? 0,
    useTimeSeconds: dice.below(30),
    promptTokens: dice.below(80),
    completionTokens: dice.below(80),
  })
