import type { Logger } from 'pino'

import { BatchQueue } from '../../platform/batching/batch-queue'
import { WaitingList } from '../../platform/batching/waiting-list'
import { lruCache } from '../../platform/lru-cache'
import type { Database } from '../../platform/store/database'
import { sha256, type Seal } from '../../platform/store/seal'
import type { Clock } from '../../platform/time/clock'
import { nextTurn, within, type Timers } from '../../platform/time/timers'
import type { ObjectOwner } from '../vendor-objects/vendor-objects'
import {
  appendEntry,
  createConversation,
  type Conversation,
  type ConversationEntry,
  type NewConversation,
} from './conversations'
import { trimUser } from './trim-user'
import { itemHashes, itemsNamed, writeItems } from './turn-items'
import {
  findThread,
  findTurnsWith,
  readTurns,
  findTurn,
  maxThreadTurns,
  removeTurns,
  renewThreads,
  turnContext,
  writeTurns,
  type TurnRow,
} from './turn-rows'
import { readTurn, type NewTurn, type Thread, type Turn, type TurnLimits, type Turns } from './turns'

export interface TurnsOptions {
  readonly database: Database
  readonly seal: Seal
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Pick<Logger, 'warn' | 'info'>
  readonly limits: () => TurnLimits
}

const maxWaiting = 10_000
const maxWaitingBytes = 64 * 1024 * 1024
const maxWaitingMs = 10 * 60_000
const maxAtOnce = 100
const maxBatchBytes = 4 * 1024 * 1024
const backOff = { minMs: 200, maxMs: 5000 }
const closeMs = 5000
/** Turns whose thread is known without looking it up. */
const maxThreads = 20_000
/** A thread is renewed when this part of its time is over. */
const renewedPart = 1 / 24
/** The turns of a user are counted anew when this part of what they may be was added. */
const countedPart = 1 / 16
/** What is opened and parsed before the loop serves others: some milliseconds. */
const bytesAtOnce = 512 * 1024
/** Users whose additions are remembered. */
const maxUsers = 10_000

/** A turn that waits for the database, not sealed yet. */
interface WaitingTurn extends Omit<TurnRow, 'sealed'> {
  readonly text: string
  /** Hashes of the ids of its items. */
  readonly items: readonly string[]
  /** It was deleted before it was written. */
  isDeleted: boolean
}

export const createTurns = (options: TurnsOptions): Turns => new StoredTurns(options)

class StoredTurns implements Turns {
  readonly #options: TurnsOptions
  readonly #waiting = new Map<string, WaitingTurn>()
  readonly #threads = lruCache<string, string>(maxThreads)
  readonly #addedBytes = lruCache<number, number>(maxUsers)
  readonly #list: WaitingList<WaitingTurn>
  readonly #queue: BatchQueue<WaitingTurn>

  constructor(options: TurnsOptions) {
    const { clock, timers, log } = options
    this.#options = options
    this.#list = new WaitingList<WaitingTurn>({
      maxEntries: maxWaiting,
      maxBytes: maxWaitingBytes,
      batchBytes: maxBatchBytes,
      bytesOf: ({ bytes }) => bytes,
      age: { maxMs: maxWaitingMs, clock },
      onDropped: (turns, reason) => {
        this.#forget(turns)
        log.warn({ reason, count: turns.length }, 'turns could not be recorded; they are lost')
      },
    })
    this.#queue = new BatchQueue<WaitingTurn>({
      source: this.#list,
      write: (batch) => this.#write(batch),
      onWritten: (batch) => this.#forget(batch),
      maxAtOnce,
      backOff,
      gatherMs: 0,
      timers,
      onFailure(error, failures) {
        if (failures === 1) log.warn({ error }, 'turns could not be recorded; retrying')
      },
      onRecovered: () => log.info('turns are recorded again'),
    })
  }

  add({ userId, tokenId, ...turn }: NewTurn): void {
    const { clock, limits } = this.#options
    const { ttlSeconds, maxTurnBytes } = limits()
    const text = JSON.stringify(turn)
    const bytes = Buffer.byteLength(text)
    if (bytes > maxTurnBytes) return
    const hash = sha256(turn.id)
    // Applications of some vendors have one id for all that was said.
    const previous = turn.previousId === null || turn.previousId === turn.id ? '' : sha256(turn.previousId)
    const thread = previous === '' ? hash : (this.#threads.get(nameOf({ user_id: userId, id_hash: previous })) ?? '')
    const one: WaitingTurn = {
      id_hash: hash,
      user_id: userId,
      token_id: tokenId,
      previous_hash: previous,
      thread_hash: thread,
      bytes,
      expires_at: clock.seconds() + ttlSeconds,
      text,
      items: itemHashes(turn.response),
      isDeleted: false,
    }
    if (thread !== '') this.#threads.set(nameOf(one), thread)
    this.#waiting.set(nameOf(one), one)
    this.#list.add(one)
    this.#queue.wake()
  }

  async find(owner: ObjectOwner, id: string): Promise<Turn | null> {
    const { database, clock } = this.#options
    const hash = sha256(id)
    const own = this.#waitingTurn(owner, hash)
    if (own) return own.isDeleted ? null : readTurn(own.text)
    const row = await findTurn(database.query, { owner, hash, now: clock.seconds() })
    return row ? this.#readRow(row) : null
  }

  async threadTo(owner: ObjectOwner, id: string, maxBytes: number, onBytes?: (bytes: number) => void): Promise<Thread> {
    const { database, clock } = this.#options
    const waiting: WaitingTurn[] = []
    let hash = sha256(id)
    let bytes = 0
    for (let turn = this.#waitingTurn(owner, hash); turn; turn = this.#waitingTurn(owner, hash)) {
      if (turn.isDeleted) return { kind: waiting.length === 0 ? 'none' : 'broken' }
      bytes += turn.bytes
      if (bytes > maxBytes || waiting.length >= maxThreadTurns) return { kind: 'too-large' }
      waiting.push(turn)
      hash = turn.previous_hash
    }
    const last: Turn[] = []
    for (const { text } of waiting.toReversed()) last.push(await readTurn(text))
    if (hash === '') return { kind: 'whole', turns: last }
    const search = { owner, hash, now: clock.seconds(), maxBytes: maxBytes - bytes }
    const { rows, isTooLarge } = await findThread(database.query, search)
    if (isTooLarge) return { kind: 'too-large' }
    const [first] = rows
    if (first === undefined) return { kind: last.length === 0 ? 'none' : 'broken' }
    if (first.previous_hash !== '') return { kind: 'broken' }
    onBytes?.(rows.reduce((sum, row) => sum + row.bytes, bytes))
    return { kind: 'whole', turns: [...(await this.#readRows(rows)), ...last] }
  }

  async findItems(owner: ObjectOwner, ids: readonly string[], maxBytes: number) {
    const { database, clock } = this.#options
    const names = new Set(ids)
    const hashes = new Set(ids.map(sha256))
    const waiting = [...this.#waiting.values()].filter(
      (turn) => isOf(owner, turn) && !turn.isDeleted && turn.items.some((item) => hashes.has(item)),
    )
    const search = { owner, hashes: [...hashes], now: clock.seconds() }
    const known = new Set(waiting.map(({ id_hash: hash }) => hash))
    const stored = (await findTurnsWith(database.query, search)).filter(({ id_hash: hash }) => !known.has(hash))
    if ([...waiting, ...stored].reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) return null
    const rows =
      stored.length === 0
        ? []
        : await readTurns(
            database.query,
            owner.userId,
            stored.map(({ id_hash: hash }) => hash),
          )
    const turns = [...(await this.#readRows(rows))]
    for (const { text } of waiting) turns.push(await readTurn(text))
    return new Map(turns.flatMap((turn) => itemsNamed(turn, names)))
  }

  async remove(owner: ObjectOwner, id: string): Promise<boolean> {
    const { database } = this.#options
    const hash = sha256(id)
    const waiting = this.#waitingTurn(owner, hash)
    const isFound = waiting?.isDeleted === false
    // Whatever becomes of the deletion in the database, it is not written any more; if it is being written, it is deleted then.
    if (waiting) waiting.isDeleted = true
    const { numDeletedRows } = await database.query
      .deleteFrom('response_turns')
      .where('id_hash', '=', hash)
      .where('user_id', '=', owner.userId)
      .$if(owner.tokenId !== null, (query) => query.where('token_id', '=', owner.tokenId ?? 0))
      .executeTakeFirst()
    return isFound || numDeletedRows > 0n
  }

  async createConversation(conversation: NewConversation): Promise<Conversation> {
    const created = await createConversation(this.#options, conversation, this.#options.limits().ttlSeconds)
    await this.#countAdded(created.userId, created.bytes)
    return created
  }

  async append(conversation: Pick<Conversation, 'id' | 'userId'>, entry: ConversationEntry): Promise<boolean> {
    const bytes = await appendEntry(this.#options, conversation, entry, this.#options.limits().ttlSeconds)
    if (bytes !== null) await this.#countAdded(conversation.userId, bytes)
    return bytes !== null
  }

  get queued(): number {
    return this.#list.length
  }

  async close(): Promise<void> {
    await within(this.#options.timers, closeMs, this.#queue.whenIdle(), undefined)
    void this.#queue.stop()
  }

  async #write(all: readonly WaitingTurn[]): Promise<void> {
    const { database, seal, clock, limits } = this.#options
    const { ttlSeconds } = limits()
    await this.#writeDeletions(all)
    // Another of the same id may have come after it.
    const batch = all.filter((turn) => !turn.isDeleted && this.#waiting.get(nameOf(turn)) === turn)
    if (batch.length === 0) return
    const rows = batch.map(({ text, items: _items, isDeleted: _isDeleted, ...row }) => ({
      ...row,
      sealed: seal.seal(text, turnContext(row.id_hash, row.user_id)),
    }))
    // An item needs its turn, which another worker may delete as soon as it is there.
    await database.query.transaction().execute(async (transaction) => {
      await writeTurns(transaction, rows)
      await writeItems(transaction, batch)
    })
    await this.#writeDeletions(batch)
    const now = clock.seconds()
    const expiresAt = now + ttlSeconds
    await renewThreads(database.query, rows, {
      now,
      expiresAt,
      before: Math.floor(expiresAt - ttlSeconds * renewedPart),
    })
    for (const { user_id: userId, bytes } of batch) await this.#countAdded(userId, bytes)
  }

  async #writeDeletions(turns: readonly WaitingTurn[]): Promise<void> {
    const deleted = turns.filter(({ isDeleted }) => isDeleted)
    if (deleted.length > 0) await removeTurns(this.#options.database.query, deleted)
  }

  #forget(turns: readonly WaitingTurn[]): void {
    for (const turn of turns) if (this.#waiting.get(nameOf(turn)) === turn) this.#waiting.delete(nameOf(turn))
  }

  /** Removes what is too much, once much was added since a user was counted. */
  async #countAdded(userId: number, bytes: number): Promise<void> {
    const { database, limits } = this.#options
    const { maxUserBytes } = limits()
    const added = (this.#addedBytes.get(userId) ?? 0) + bytes
    const isDue = added > maxUserBytes * countedPart
    this.#addedBytes.set(userId, isDue ? 0 : added)
    if (isDue) await trimUser(database, userId, maxUserBytes)
  }

  /** Lets others have their turn: a thread may have as much as the largest request. */
  async #readRows(rows: readonly TurnRow[]): Promise<readonly Turn[]> {
    const turns: Turn[] = []
    let bytes = 0
    for (const row of rows) {
      turns.push(await this.#readRow(row))
      bytes += row.bytes
      if (bytes < bytesAtOnce) continue
      await nextTurn()
      bytes = 0
    }
    return turns
  }

  async #readRow(row: TurnRow): Promise<Turn> {
    const text = this.#options.seal.open(row.sealed, turnContext(row.id_hash, row.user_id))
    if (row.bytes > bytesAtOnce) await nextTurn()
    return readTurn(text)
  }

  #waitingTurn(owner: ObjectOwner, hash: string): WaitingTurn | undefined {
    const turn = this.#waiting.get(nameOf({ user_id: owner.userId, id_hash: hash }))
    return turn && isOf(owner, turn) ? turn : undefined
  }
}

const isOf = (owner: ObjectOwner, { user_id: userId, token_id: tokenId }: WaitingTurn): boolean =>
  owner.userId === userId && (owner.tokenId === null || owner.tokenId === tokenId)

const nameOf = ({ user_id: userId, id_hash: hash }: Pick<TurnRow, 'user_id' | 'id_hash'>): string => `${userId}:${hash}`
