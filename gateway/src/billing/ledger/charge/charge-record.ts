import type { CallMeasures, Charge, LogEntry, Payer } from '../ledger'

/** One charge on its way into the database, complete in itself: it survives in the journal when its worker does not. */
export interface ChargeRecord {
  readonly requestId: string
  readonly cost: number
  readonly isLogged: boolean
  /** Ids of the leases the call was paid from. Without one the balance of the user pays, unless a subscription does; a token has no balance of its own. */
  readonly userLease: string
  readonly tokenLease: string
  /** What it drew from windows: names of what calls draw from (`named-draws`), or amounts. Absent: nothing. */
  readonly windows?: readonly (string | WindowDraws)[] | undefined
  /** The subscription that paid instead of the wallet. Absent: none. */
  readonly subscription?: number | undefined
  readonly entry: LogEntry
}

/** What a charge drew from windows by leases of one series. */
interface WindowDraws {
  readonly series: string
  /** Ids of periods, each followed by the amount: less than nothing where work had held more. */
  readonly drawn: readonly number[]
}

export type PaidFrom = Pick<ChargeRecord, 'userLease' | 'tokenLease' | 'windows'>

/** Returns a charge of `payer`, regardless of the user and token in the log entry. */
export const chargeRecord = (requestId: string, payer: Payer, charge: Charge, from: PaidFrom): ChargeRecord => ({
  requestId,
  cost: charge.cost,
  isLogged: charge.isLogged,
  userLease: from.userLease,
  tokenLease: from.tokenLease,
  windows: from.windows,
  subscription: payer.subscriptionId,
  entry: storable(charge.entry, payer),
})

/**
 * The entry with what no database would refuse: PostgreSQL takes neither a NUL in a text nor a long text in an index,
 * and one refused row must not hold up the billing of all others.
 */
export const storable = (entry: LogEntry, payer: Pick<LogEntry, 'userId' | 'tokenId'> = entry): LogEntry => ({
  createdAt: whole(entry.createdAt),
  type: whole(entry.type),
  userId: whole(payer.userId),
  username: plain(entry.username, 64),
  tokenId: whole(payer.tokenId),
  tokenName: plain(entry.tokenName, 64),
  modelName: plain(entry.modelName, 255),
  group: plain(entry.group, 64),
  channelId: whole(entry.channelId),
  channelName: plain(entry.channelName, 255),
  isStream: entry.isStream,
  useTimeSeconds: whole(entry.useTimeSeconds),
  promptTokens: whole(entry.promptTokens),
  completionTokens: whole(entry.completionTokens),
  content: plain(entry.content),
  clientIp: plain(entry.clientIp),
  other: plain(entry.other),
  measures: entry.measures && storableMeasures(entry.measures),
  vendorCost: entry.vendorCost === undefined ? undefined : Math.max(0, whole(entry.vendorCost)),
  vendorSaved: entry.vendorSaved === undefined ? undefined : Math.max(0, whole(entry.vendorSaved)),
  upstreamKey: entry.upstreamKey === undefined ? undefined : plain(entry.upstreamKey, 64),
  errorCode: entry.errorCode === undefined ? undefined : plain(entry.errorCode, 64),
})

const storableMeasures = ({ wholeMs, firstTokenMs, cachedTokens, cacheSaved }: CallMeasures): CallMeasures => ({
  wholeMs: wholeMs === null ? null : Math.max(0, whole(wholeMs)),
  firstTokenMs: firstTokenMs === null ? null : Math.max(0, whole(firstTokenMs)),
  cachedTokens: Math.max(0, whole(cachedTokens)),
  cacheSaved: Math.max(0, whole(cacheSaved)),
})

function plain(text: string, maxLength = Infinity): string {
  const short = text.length > maxLength ? text.slice(0, maxLength) : text
  return short.includes('\0') ? short.replaceAll('\0', '') : short
}

function whole(value: number): number {
  const truncated = Math.trunc(value)
  return Number.isSafeInteger(truncated) ? truncated : 0
}
