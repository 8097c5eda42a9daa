import { CompiledQuery, type DatabaseConnection } from 'kysely'

/** A balance and its counters as the tables say. */
export interface BalanceRow {
  readonly id: number
  readonly free: number
  readonly used: number
  readonly requests: number
}

export interface LeaseRow {
  readonly id: string
  readonly kind: 'user' | 'token'
  readonly ref_id: number
  readonly worker_id: string
  readonly amount: number
  readonly recalled: number
}

export interface ChargeRow {
  readonly row: number
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number
  readonly channel_id: number
  readonly quota: number
}

export interface CreditRow {
  readonly row: number
  readonly id: string
  readonly user_id: number
  readonly amount: number
}

const tables = ['users', 'tokens', 'leases', 'charges', 'credits'] as const
export type Table = (typeof tables)[number]

const tablesOf = new Map<string, readonly Table[]>()

/** The tables of money that a statement may change. */
export function changedBy(statement: string): readonly Table[] {
  const known = tablesOf.get(statement)
  if (known) return known
  const target = /^(?:insert into|update|delete from) "?(\w+)/.exec(statement)?.[1]
  const changed = tables.filter((table) => table === target)
  tablesOf.set(statement, changed)
  return changed
}

const selectUsers = 'select id, quota as free, used_quota as used, request_count as requests from users'
const selectTokens = 'select id, remain_quota as free, used_quota as used, 0 as requests from tokens'
const selectLeases = 'select id, kind, ref_id, worker_id, amount, recalled from leases'
const selectCharges =
  'select rowid as row, request_id, user_id, token_id, channel_id, quota from charges where rowid > ? order by rowid'
const selectCredits = 'select rowid as row, id, user_id, amount from credits where rowid > ? order by rowid'

/** What everybody can see in the database at a moment without an open transaction. */
export interface Committed {
  readonly users: readonly BalanceRow[]
  readonly tokens: readonly BalanceRow[]
  readonly leases: ReadonlyMap<string, LeaseRow>
  /** Those that are new since the last look. */
  readonly charges: readonly ChargeRow[]
  readonly credits: readonly CreditRow[]
}

/** Reads what was committed and may have changed, the growing tables from where it stopped. */
export class CommittedReader {
  #lastCharge = 0
  #lastCredit = 0
  #users: readonly BalanceRow[] = []
  #tokens: readonly BalanceRow[] = []
  #leases: ReadonlyMap<string, LeaseRow> = new Map()

  constructor(readonly connection: DatabaseConnection) {}

  async read(changed: ReadonlySet<Table> = new Set(tables)): Promise<Committed> {
    const { connection } = this
    const charges = changed.has('charges') ? await rows<ChargeRow>(connection, selectCharges, this.#lastCharge) : []
    const credits = changed.has('credits') ? await rows<CreditRow>(connection, selectCredits, this.#lastCredit) : []
    this.#lastCharge = charges.at(-1)?.row ?? this.#lastCharge
    this.#lastCredit = credits.at(-1)?.row ?? this.#lastCredit
    if (changed.has('users')) this.#users = await rows(connection, selectUsers)
    if (changed.has('tokens')) this.#tokens = await rows(connection, selectTokens)
    if (changed.has('leases')) {
      const leases = await rows<LeaseRow>(connection, selectLeases)
      this.#leases = new Map(leases.map((lease) => [lease.id, lease]))
    }
    return { users: this.#users, tokens: this.#tokens, leases: this.#leases, charges, credits }
  }
}

async function rows<Row>(connection: DatabaseConnection, text: string, ...parameters: readonly number[]) {
  return (await connection.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows
}
