import { daySeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../../context'
import { randomHex } from '../../../platform/random'
import type { ClickHouse } from '../../../platform/store/clickhouse/clickhouse'
import type { Database, Queries, Transaction } from '../../../platform/store/database'
import type { LogRow } from '../../../platform/store/tables'
import { nextTurn } from '../../../platform/time/timers'
import { createLogTable, keepFor } from './log-table'
import { changeShipments, readShipments, type OpenNumbers, type Shipments } from './shipments'

type Deps = Pick<Context, 'clock' | 'random'> & {
  readonly database: Pick<Database, 'kind' | 'query' | 'removal'>
  readonly clickHouse: ClickHouse
}

/** Rows of a shipment. They are removed in one transaction, for which other writers of SQLite wait. ClickHouse makes a file of each shipment. */
const maxRows = { postgres: 10_000, sqlite: 500 } as const
/** Rows read at once: a few milliseconds of the process. */
const readAtOnce = 250

/** On SQLite rows leave on the thread that removes them. PostgreSQL's connection for removals may be taken for minutes. */
const removalOf = ({ kind, query, removal }: Deps['database']) => ({ kind, query: kind === 'sqlite' ? removal : query })

/** Takes rows of the log from the database to ClickHouse. One worker of the site does so at a time. */
export class LogShipping {
  readonly #deps: Deps
  #isReady = false
  #days: number | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Ships all rows that are there; those of calls are removed from ClickHouse after this many days, 0: never.
   * @throws AppError `log.store_down`; then the rows stay.
   */
  async run(signal: AbortSignal, days: number, rows: number = maxRows[this.#deps.database.kind]): Promise<void> {
    if (!this.#isReady) await this.#prepare()
    if (this.#days !== days) await keepFor(this.#deps.clickHouse, days)
    this.#days = days
    await this.#clear()
    while (!signal.aborted && (await this.#shipOnce(rows)) === rows) await nextTurn()
  }

  /** Creates the table, and gives out the numbers that it has of another past of this site, as after a backup was restored. */
  async #prepare(): Promise<void> {
    const { clickHouse, clock, database, random } = this.#deps
    const site = (await readShipments(database.query))?.site ?? randomHex(random, 16)
    await createLogTable(clickHouse, await this.#change(async (state) => ({ next: state, result: state.site }), site))
    const highest = await highestShipment(clickHouse)
    await this.#change(async (state) => ({
      next: highest > state.last ? withNumbers(state, highest, clock.seconds()) : state,
      result: undefined,
    }))
    this.#isReady = true
  }

  /** Removes what broke off. A request that was given up may still be running at the server: its number stays open for a day. */
  async #clear(): Promise<void> {
    const { clickHouse, clock } = this.#deps
    const isOld = ({ at }: OpenNumbers) => at < clock.seconds() - daySeconds
    const isDue = (numbers: OpenNumbers) => numbers.state !== 'cleared' || isOld(numbers)
    if (!(await readShipments(this.#deps.database.query))?.open.some(isDue)) return
    const due = await this.#change(async (state) => ({
      next: { ...state, open: state.open.map((numbers) => inState(numbers, isDue(numbers) ? 'given-up' : 'cleared')) },
      result: state.open.filter(isDue),
    }))
    const rows = due.map(({ from, to }) => `shipment between ${from} and ${to}`)
    await clickHouse.command(`delete from logs where ${rows.join(' or ')}`)
    const cleared = new Set(due.map(({ from }) => from))
    await this.#change(async (state) => ({
      next: {
        ...state,
        open: state.open
          .filter((numbers) => !cleared.has(numbers.from) || !isOld(numbers))
          .map((numbers) => (cleared.has(numbers.from) ? inState(numbers, 'cleared') : numbers)),
      },
      result: undefined,
    }))
  }

  /** Resolves with the number of rows. */
  async #shipOnce(max: number): Promise<number> {
    const { clickHouse, clock, database } = this.#deps
    if (!(await hasRows(database))) return 0
    const number = await this.#change(async (state) => {
      const next = withNumbers(state, state.last + 1, clock.seconds())
      return { next, result: next.last }
    })
    const shipped: ShippedRow[] = []
    await clickHouse.insert('logs', withNumber(rowsOf(removalOf(database).query, max), number, shipped))
    await this.#change(async (state, transaction) => {
      await removeRows(transaction, database.kind, shipped)
      // Another worker may think that it broke off.
      if (!state.open.some(({ from, state: now }) => from === number && now === 'under-way'))
        throw new Error(`Shipment ${number} of the log was given up`)
      const open = state.open.filter(({ from }) => from !== number)
      return { next: { ...state, ended: state.ended + 1, open }, result: undefined }
    })
    return shipped.length
  }

  #change<Result>(change: Parameters<typeof changeShipments<Result>>[2], site = ''): Promise<Result> {
    const { clock, database } = this.#deps
    return changeShipments(removalOf(database), { site, nowMs: clock.now() }, change)
  }
}

const withNumbers = (state: Shipments, last: number, at: number): Shipments => ({
  ...state,
  last,
  open: [...state.open, { from: state.last + 1, to: last, at, state: 'under-way' }],
})

const inState = (numbers: OpenNumbers, state: OpenNumbers['state']): OpenNumbers => ({ ...numbers, state })

async function highestShipment({ query }: ClickHouse): Promise<number> {
  const { rows } = await sql<{ highest: number }>`select max(shipment) as highest from logs`.execute(query)
  return rows[0]?.highest ?? 0
}

const hasRows = async ({ query }: Deps['database']): Promise<boolean> =>
  (await query.selectFrom('logs').select('id').limit(1).executeTakeFirst()) !== undefined

type ShippedRow = Pick<LogRow, 'id' | 'created_at'>

/** Yields the rows with the lowest ids. One that is committed later with a lower id is among those of the next shipment. */
async function* rowsOf(query: Queries, max: number): AsyncGenerator<LogRow[]> {
  let last = -1
  for (let left = max; left > 0;) {
    const limit = Math.min(left, readAtOnce)
    const rows = await query.selectFrom('logs').selectAll().where('id', '>', last).orderBy('id').limit(limit).execute()
    yield rows
    if (rows.length < limit) return
    left -= rows.length
    last = rows.at(-1)?.id ?? last
  }
}

async function* withNumber(rows: AsyncIterable<LogRow[]>, shipment: number, shipped: ShippedRow[]) {
  for await (const some of rows)
    for (const row of some) {
      shipped.push({ id: row.id, created_at: row.created_at })
      yield { ...row, shipment }
    }
}

/** Removes exactly these rows. @throws Error when some of them are gone: what removed them did not know of the copies. */
async function removeRows(
  transaction: Transaction,
  kind: Database['kind'],
  rows: readonly ShippedRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const times = rows.map(({ created_at: at }) => at)
  const extreme = (pick: (one: number, other: number) => number) =>
    times.reduce((one, other) => pick(one, other), times[0] ?? 0)
  const { numDeletedRows } = await transaction
    .deleteFrom('logs')
    .where(
      kind === 'postgres'
        ? sql<boolean>`id = any(cast(${ids} as bigint[]))`
        : sql<boolean>`id in (select value from json_each(${JSON.stringify(ids)}))`,
    )
    // Which months they are in.
    .where('created_at', '>=', extreme(Math.min))
    .where('created_at', '<=', extreme(Math.max))
    .executeTakeFirst()
  if (Number(numDeletedRows) !== rows.length)
    throw new Error(`${rows.length} rows of the log were shipped, and ${numDeletedRows} of them are still here`)
}
