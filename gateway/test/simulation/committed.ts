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

const selectUsers = 'select id, quota as free, used_quota as used, request_count as requests from users'
const selectTokens = 'select id, remain_quota as free, used_quota as used, 0 as requests from tokens'
const selectLeases = 'select id, kind, ref_id, worker_id, amount from leases'
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

/** Reads what was committed, the growing tables from where it stopped. */
export class CommittedReader {
  #lastCharge = 0
  #lastCredit = 0

  constructor(readonly connection: DatabaseConnection) {}

  async read(): Promise<Committed> {
    const leases = await this.#rows<LeaseRow>(selectLeases)
    const charges = await this.#rows<ChargeRow>(selectCharges, this.#lastCharge)
    const credits = await this.#rows<CreditRow>(selectCredits, this.#lastCredit)
    this.#lastCharge = charges.at(-1)?.row ?? this.#lastCharge
    this.#lastCredit = credits.at(-1)?.row ?? this.#lastCredit
    return {
      users: await this.#rows<BalanceRow>(selectUsers),
      tokens: await this.#rows<BalanceRow>(selectTokens),
      leases: new Map(leases.map((lease) => [lease.id, lease])),
      charges,
      credits,
    }
  }

  async #rows<Row>(text: string, ...parameters: readonly number[]): Promise<readonly Row[]> {
    return (await this.connection.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows
  }
}
