import { CompiledQuery, type DatabaseConnection } from 'kysely'

/** A balance and its counters in the tables. */
export interface BalanceRow {
  readonly id: number
  readonly free: number
  readonly used: number
  readonly requests: number
}

export interface LeaseRow {
  readonly id: string
  readonly kind: 'user' | 'token' | 'window'
  readonly ref_id: number
  readonly worker_id: string
  readonly amount: number
  readonly recalled: number
}

export interface HoldRow {
  readonly id: string
  readonly user_id: number
  readonly token_id: number
  readonly is_token_limited: number
  readonly amount: number
  readonly windows: string
}

/** A period of a window. */
export interface PeriodRow {
  readonly id: number
  readonly window_id: number
  readonly subject_id: number
  readonly starts_at: number
  readonly ends_at: number
  readonly capacity: number
  readonly free: number
}

/** The settings of a window as far as they are the capacity of its periods. */
export interface WindowLimitRow {
  readonly id: number
  readonly limit_amount: number
  readonly grace_percent: number
}

interface NumberedRow {
  readonly row: number
  readonly id: string
}

export interface ChargeRow extends NumberedRow {
  readonly user_id: number
  readonly token_id: number
  readonly channel_id: number
  readonly quota: number
}

export interface CreditRow extends NumberedRow {
  readonly user_id: number
  readonly amount: number
}

const tables = ['users', 'tokens', 'leases', 'holds', 'charges', 'credits', 'windows', 'window_periods'] as const
export type Table = (typeof tables)[number]

const tablesOf = new Map<string, readonly Table[]>()

/** Returns the tables of money that a statement may change. */
export function changedBy(statement: string): readonly Table[] {
  const known = tablesOf.get(statement)
  if (known) return known
  const target = /^(?:with [^]*?\s)?(?:insert into|update|delete from) "?(\w+)/.exec(statement)?.[1]
  const changed = tables.filter((table) => table === target)
  tablesOf.set(statement, changed)
  return changed
}

const selectUsers = 'select id, quota as free, used_quota as used, request_count as requests from users'
const selectTokens = 'select id, remain_quota as free, used_quota as used, 0 as requests from tokens'
const selectLeases = 'select id, kind, ref_id, worker_id, amount, recalled from leases'
const selectHolds = 'select id, user_id, token_id, is_token_limited, amount, windows from holds'
const selectPeriods = 'select id, window_id, subject_id, starts_at, ends_at, capacity, free from window_periods'
const selectWindows = 'select id, limit_amount, grace_percent from windows'
const selectCharges = 'select rowid as row, request_id as id, user_id, token_id, channel_id, quota from charges'
const selectCredits = 'select rowid as row, id, user_id, amount from credits'

/** The committed state of the database. */
export interface Committed {
  readonly users: readonly BalanceRow[]
  readonly tokens: readonly BalanceRow[]
  readonly leases: ReadonlyMap<string, LeaseRow>
  readonly holds: ReadonlyMap<string, HoldRow>
  readonly windows: ReadonlyMap<number, WindowLimitRow>
  readonly periods: ReadonlyMap<number, PeriodRow>
  /** New since the last read. */
  readonly charges: readonly ChargeRow[]
  readonly credits: readonly CreditRow[]
}

/** Reads what was committed and may have changed, the growing tables from where it stopped. */
export class CommittedReader {
  readonly #charges: GrowingTable<ChargeRow>
  readonly #credits: GrowingTable<CreditRow>
  #users: readonly BalanceRow[] = []
  #tokens: readonly BalanceRow[] = []
  #leases: ReadonlyMap<string, LeaseRow> = new Map()
  #holds: ReadonlyMap<string, HoldRow> = new Map()
  #windows: ReadonlyMap<number, WindowLimitRow> = new Map()
  #periods: ReadonlyMap<number, PeriodRow> = new Map()

  /** `isFree` says whether no transaction is open. */
  constructor(
    readonly connection: DatabaseConnection,
    readonly isFree: () => boolean,
  ) {
    this.#charges = new GrowingTable(connection, selectCharges)
    this.#credits = new GrowingTable(connection, selectCredits)
  }

  async read(changed: ReadonlySet<Table> = new Set(tables)): Promise<Committed> {
    const { connection } = this
    const charges = changed.has('charges') ? await this.#charges.news(this.isFree()) : []
    const credits = changed.has('credits') ? await this.#credits.news(this.isFree()) : []
    if (changed.has('users')) this.#users = await rows(connection, selectUsers)
    if (changed.has('tokens')) this.#tokens = await rows(connection, selectTokens)
    if (changed.has('leases')) {
      const leases = await rows<LeaseRow>(connection, selectLeases)
      this.#leases = new Map(leases.map((lease) => [lease.id, lease]))
    }
    if (changed.has('holds')) {
      const holds = await rows<HoldRow>(connection, selectHolds)
      this.#holds = new Map(holds.map((hold) => [hold.id, hold]))
    }
    if (changed.has('windows')) {
      const windows = await rows<WindowLimitRow>(connection, selectWindows)
      this.#windows = new Map(windows.map((window) => [window.id, window]))
    }
    if (changed.has('window_periods')) {
      const periods = await rows<PeriodRow>(connection, selectPeriods)
      this.#periods = new Map(periods.map((period) => [period.id, period]))
    }
    return {
      users: this.#users,
      tokens: this.#tokens,
      leases: this.#leases,
      holds: this.#holds,
      windows: this.#windows,
      periods: this.#periods,
      charges,
      credits,
    }
  }
}

/** A table whose rows are numbered as they are inserted. A transaction that is still open may commit rows with earlier numbers. */
class GrowingTable<Row extends NumberedRow> {
  /** Number up to which all rows are known. */
  #known = 0
  /** Known rows after it. */
  #seen = new Set<string>()

  constructor(
    readonly connection: DatabaseConnection,
    readonly select: string,
  ) {}

  async news(isFree: boolean): Promise<Row[]> {
    const all = await rows<Row>(this.connection, `${this.select} where rowid > ${this.#known} order by rowid`)
    const news = all.filter(({ id }) => !this.#seen.has(id))
    if (isFree) {
      this.#known = all.at(-1)?.row ?? this.#known
      this.#seen.clear()
    } else for (const { id } of news) this.#seen.add(id)
    return news
  }
}

const rows = async <Row>(connection: DatabaseConnection, text: string) =>
  (await connection.executeQuery<Row>(CompiledQuery.raw(text))).rows
