import { lruCache } from '../../platform/lru-cache'

import type { Clock } from '../../platform/time/clock'
import type { Change, Changes } from '../../platform/store/changes'
import type { Database } from '../../platform/store/database'
import { loadAccount, loadApiKey, type Account, type ApiKey } from './account'

/** Keys and users in memory, bounded; a change elsewhere drops the entry within a second. */
export interface AccountCache {
  /** Resolves with the key with this SHA-256, or null. Makes no query when it is known. */
  byKeyHash(keyHash: string): Promise<ApiKey | null>
  /** Does the same without querying the database; undefined when only the database knows. */
  keyInMemory(keyHash: string): ApiKey | null | undefined
  byUserId(userId: number): Promise<Account | null>
}

export interface AccountCacheOptions {
  database: Database
  changes: Changes
  clock: Clock
  /** Keys and users kept, each. */
  capacity?: number
}

const defaultCapacity = 50_000
/** Unknown keys remembered, so that a client with a wrong key does not cause a query per call. */
const unknownCapacity = 10_000
const unknownMs = 5000

/** Keys and users, loaded on first use and kept until a change or the capacity drops them. */
export function createAccountCache(options: AccountCacheOptions): AccountCache {
  const { database, changes, clock } = options
  const max = options.capacity ?? defaultCapacity
  const users = lruCache<number, Account>(max)
  const unknown = lruCache<string, number>(unknownCapacity)
  const keys = new KeyIndex(max)
  const loadingKeys = new SharedReads<ApiKey>()
  const loadingUsers = new SharedReads<Account>()

  changes.listen((news) => {
    const relevant = news.filter((change) => change.topic !== 'catalog')
    if (relevant.length === 0) return
    for (const change of relevant) {
      keys.drop(change)
      if (change.topic === 'user') users.delete(change.refId)
    }
    // A token may be new, and what is being read now may be older than the change.
    unknown.clear()
    loadingKeys.forget()
    loadingUsers.forget()
  })

  function keyInMemory(keyHash: string): ApiKey | null | undefined {
    const known = keys.get(keyHash)
    if (known) return known
    return clock.monotonic() < (unknown.get(keyHash) ?? -Infinity) ? null : undefined
  }

  return {
    keyInMemory,
    async byKeyHash(keyHash) {
      const known = keyInMemory(keyHash)
      if (known !== undefined) return known
      return await loadingKeys.load(
        keyHash,
        () => loadApiKey(database, keyHash, clock.seconds()),
        (key) => {
          if (key) keys.set(keyHash, key)
          else unknown.set(keyHash, clock.monotonic() + unknownMs)
        },
      )
    },
    async byUserId(userId) {
      const known = users.get(userId)
      if (known) return known
      return await loadingUsers.load(
        userId,
        () => loadAccount(database, userId),
        (account) => {
          if (account) users.set(userId, account)
        },
      )
    },
  }
}

/** Known keys, indexed by token and by user. */
class KeyIndex {
  // A token has two keys while its previous one still works.
  readonly #hashesOfToken = new Map<number, Set<string>>()
  readonly #hashesOfUser = new Map<number, Set<string>>()
  readonly #keys: ReturnType<typeof lruCache<string, ApiKey>>

  constructor(max: number) {
    this.#keys = lruCache<string, ApiKey>(max, (key, keyHash) => {
      removeFrom(this.#hashesOfToken, key.id, keyHash)
      removeFrom(this.#hashesOfUser, key.account.id, keyHash)
    })
  }

  get(keyHash: string): ApiKey | undefined {
    return this.#keys.get(keyHash)
  }

  set(keyHash: string, key: ApiKey): void {
    this.#keys.set(keyHash, key)
    addTo(this.#hashesOfToken, key.id, keyHash)
    addTo(this.#hashesOfUser, key.account.id, keyHash)
  }

  drop(change: Change): void {
    if (change.topic === 'catalog') return
    const hashesOf = change.topic === 'user' ? this.#hashesOfUser : this.#hashesOfToken
    for (const hash of hashesOf.get(change.refId) ?? []) this.#keys.delete(hash)
  }
}

function addTo(hashes: Map<number, Set<string>>, id: number, hash: string): void {
  const known = hashes.get(id)
  if (known) known.add(hash)
  else hashes.set(id, new Set([hash]))
}

function removeFrom(hashes: Map<number, Set<string>>, id: number, hash: string): void {
  const known = hashes.get(id)
  known?.delete(hash)
  if (known?.size === 0) hashes.delete(id)
}

/** Reads in flight: concurrent requests for the same thing share one read. */
class SharedReads<Value> {
  readonly #inFlight = new Map<string | number, Promise<Value | null>>()

  load(
    id: string | number,
    read: () => Promise<Value | null>,
    keep: (value: Value | null) => void,
  ): Promise<Value | null> {
    const running = this.#inFlight.get(id)
    if (running) return running
    const loading = read()
      .then((value) => {
        // A change arrived meanwhile: what was read may be stale, so it serves those who wait and no one later.
        if (this.#inFlight.get(id) === loading) keep(value)
        return value
      })
      .finally(() => {
        if (this.#inFlight.get(id) === loading) this.#inFlight.delete(id)
      })
    this.#inFlight.set(id, loading)
    return loading
  }

  forget(): void {
    this.#inFlight.clear()
  }
}
