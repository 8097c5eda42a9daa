import type { Clock } from '../time/clock'
import { builtQuery, type Database, type Queries, type Transaction } from './database'
import type { Timers } from '../time/timers'

/**
 * What changed: the catalog (channels, options, groups), prices, or one user, token or session holder. `mail`: one is queued. `task`: a
 * vendor called back. `log-level`: of all workers. `event`: operators are to be notified of one.
 * `retention`: rows are to be removed. `responses`: those that are stored are to be forgotten. `objects`: a user named some that are to be forgotten.
 */
const topics = [
  'catalog',
  'prices',
  'user',
  'token',
  'mail',
  'webhook',
  'task',
  'log-level',
  'price-sync',
  'event',
  'retention',
  'responses',
  'objects',
] as const
export type Topic = (typeof topics)[number]

const isTopic = (text: string): text is Topic => topics.some((topic) => topic === text)

export interface Change {
  readonly topic: Topic
  /** Id of the user or token; 0 for the others. */
  readonly refId: number
}

/** Short enough that a revoked key or a new price is in force everywhere within a second. */
const pollMs = 400

export interface ChangesOptions {
  database: Database
  clock: Clock
  timers: Pick<Timers, 'after'>
  /** Called when reading on the timer failed. */
  onError: (error: unknown) => void
  onRead?: () => void
}

/** How workers learn of each other's writes. Every write that others must see announces itself in its own transaction. */
export class Changes {
  readonly #options: ChangesOptions
  readonly #changesAfter: ReturnType<typeof changesAfter>
  readonly #listeners: ((changes: readonly Change[]) => void | Promise<void>)[] = []
  #seen = 0
  #cancel = (): void => {}
  #isStopped = true
  #running: Promise<void> = Promise.resolve()

  constructor(options: ChangesOptions) {
    this.#options = options
    this.#changesAfter = changesAfter(options.database.query)
  }

  /** In the transaction of the write. Call `deliver` after the commit so that this worker sees it at once. */
  announce(change: Change, transaction: Transaction): Promise<void> {
    return announceChange(change, this.#options.clock.now(), transaction)
  }

  /** Reads new changes and notifies the listeners. Also runs on a timer. */
  deliver(): Promise<void> {
    this.#running = this.#running.catch(() => {}).then(() => this.#readNew())
    return this.#running
  }

  listen(listener: (changes: readonly Change[]) => void | Promise<void>): void {
    this.#listeners.push(listener)
  }

  async start(): Promise<void> {
    this.#seen = await latestSeq(this.#options.database.query)
    this.#isStopped = false
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#running.catch(() => {})
  }

  async #readNew(): Promise<void> {
    const rows = await this.#changesAfter(this.#seen)
    const last = rows.at(-1)
    if (!last) return
    // A worker of a later release may announce what this one does not know.
    const news = rows.flatMap(({ topic, ref_id: refId }) => (isTopic(topic) ? { topic, refId } : []))
    for (const listener of this.#listeners) await listener(news)
    this.#seen = last.seq
  }

  #schedule(): void {
    const { timers, onRead, onError } = this.#options
    this.#cancel = timers.after(pollMs, () => {
      this.deliver()
        .then(onRead, onError)
        .finally(() => {
          if (!this.#isStopped) this.#schedule()
        })
    })
  }
}

const changesAfter = (query: Queries) =>
  builtQuery(query, query.selectFrom('changes').select(['seq', 'topic', 'ref_id']).where('seq', '>', 0).orderBy('seq'))

/** Announces a change in the transaction of its write, for what runs beside the gateway and follows no changes itself. */
export async function announceChange({ topic, refId }: Change, nowMs: number, transaction: Transaction): Promise<void> {
  const seq = await nextSeq(transaction)
  await transaction
    .insertInto('changes')
    .values({ seq, topic, ref_id: refId, created_at: Math.floor(nowMs / 1000) })
    .execute()
}

/** The counter's row stays locked until the writer commits, so numbers become visible in order. */
async function nextSeq(transaction: Transaction): Promise<number> {
  const row = await transaction
    .insertInto('counters')
    .values({ name: 'changes', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', 1) })))
    .returning('value')
    .executeTakeFirstOrThrow()
  return row.value
}

async function latestSeq(query: Queries): Promise<number> {
  const row = await query.selectFrom('counters').select('value').where('name', '=', 'changes').executeTakeFirst()
  return row?.value ?? 0
}
