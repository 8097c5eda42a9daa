import type { Logger } from 'pino'

import { BatchQueue } from '../../platform/batching/batch-queue'
import { WaitingList, type DropReason } from '../../platform/batching/waiting-list'
import type { Clock } from '../../platform/time/clock'
import { lruCache } from '../../platform/lru-cache'
import type { Changes } from '../../platform/store/changes'
import type { Database } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import { within, type Timers } from '../../platform/time/timers'
import {
  findObjects,
  deleteObjects,
  findOthers,
  writeObjects,
  type HashedObject,
  type NewObject,
  type ObjectOwner,
  type StoredObject,
  type VendorObjects,
} from './vendor-objects'

export interface VendorObjectsOptions {
  readonly database: Database
  readonly changes: Pick<Changes, 'announce' | 'deliver'>
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Pick<Logger, 'warn' | 'info'>
  readonly onDropped: (reason: DropReason, count: number) => void
}

/** Objects that wait for the database. */
const maxWaiting = 10_000
const maxWaitingMs = 10 * 60_000
/** More than can wait, so that nothing is forgotten before it is written. */
const maxRemembered = 20_000
const maxAtOnce = 200
const backOff = { minMs: 200, maxMs: 5000 }
const closeMs = 5000

export function createVendorObjects({
  database,
  changes,
  clock,
  timers,
  log,
  onDropped,
}: VendorObjectsOptions): VendorObjects {
  const list = new WaitingList<HashedObject>({
    maxEntries: maxWaiting,
    age: { maxMs: maxWaitingMs, clock },
    onDropped: ({ length }, reason) => onDropped(reason, length),
  })
  const queue = new BatchQueue<HashedObject>({
    source: list,
    write: (batch) => writeObjects(database.query, batch),
    maxAtOnce,
    backOff,
    gatherMs: 0,
    timers,
    onFailure(error, failures) {
      if (failures === 1) log.warn({ error }, 'objects at vendors could not be recorded; retrying')
    },
    onRecovered: () => log.info('objects at vendors are recorded again'),
  })
  const remembered = lruCache<string, HashedObject>(maxRemembered)

  function fromMemory(owner: ObjectOwner, hashes: ReadonlyMap<string, string>) {
    const found = new Map<string, StoredObject>()
    const missing: string[] = []
    for (const [hash, id] of hashes) {
      const known = remembered.get(nameOf(owner.userId, hash))
      // Another key may have made it first.
      if (!known || !isOf(known, owner)) missing.push(hash)
      else if (known.expiresAt > clock.seconds()) found.set(id, known)
    }
    return { found, missing }
  }

  return {
    add(objects) {
      for (const object of objects) {
        const hashed = hashedObject(object)
        const name = nameOf(hashed.userId, hashed.hash)
        const first = remembered.get(name)
        remembered.set(name, first ? { ...hashed, tokenId: first.tokenId } : hashed)
        list.add(hashed)
      }
      if (objects.length > 0) queue.wake()
    },
    async ofOwner(owner, ids) {
      const hashes = hashesOf(ids)
      const { found, missing } = fromMemory(owner, hashes)
      if (missing.length === 0) return found
      for (const object of await findObjects(database.query, { owner, hashes: missing, now: clock.seconds() })) {
        found.set(hashes.get(object.hash) ?? '', object)
        remembered.set(nameOf(owner.userId, object.hash), object)
      }
      return found
    },
    async ofOthers(owner, ids) {
      const hashes = hashesOf(ids)
      const taken = await findOthers(database.query, { owner, hashes: [...hashes.keys()], now: clock.seconds() })
      return new Set(taken.map((hash) => hashes.get(hash) ?? ''))
    },
    async forget(owner, ids) {
      await within(timers, closeMs, queue.whenIdle(), undefined)
      const removed = await database.query.transaction().execute(async (transaction) => {
        const count = await deleteObjects(transaction, owner, [...hashesOf(ids).keys()])
        if (count > 0) await changes.announce({ topic: 'objects', refId: owner.userId }, transaction)
        return count
      })
      if (removed > 0) await changes.deliver()
      return removed > 0
    },
    refresh(userId) {
      const start = nameOf(userId, '')
      for (const name of remembered.keys()) if (name.startsWith(start)) remembered.delete(name)
    },
    get queued() {
      return list.length
    },
    async close() {
      await within(timers, closeMs, queue.whenIdle(), undefined)
      void queue.stop()
    },
  }
}

const isOf = ({ tokenId }: StoredObject, owner: ObjectOwner): boolean =>
  owner.tokenId === null || tokenId === null || tokenId === owner.tokenId

const nameOf = (userId: number, hash: string): string => `${userId}:${hash}`

const hashesOf = (ids: readonly string[]): ReadonlyMap<string, string> => new Map(ids.map((id) => [sha256(id), id]))

const hashedObject = ({ id, ...object }: NewObject): HashedObject => ({ ...object, hash: sha256(id) })
