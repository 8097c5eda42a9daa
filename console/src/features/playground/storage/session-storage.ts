import type { Session } from '../session/session'

/** Stores sessions. Each method may fail: storage may be full or forbidden. */
export interface SessionStorage {
  /** Sessions of a user, unordered. */
  list(userId: number): Promise<readonly unknown[]>
  get(id: string): Promise<unknown>
  put(session: Session): Promise<void>
  remove(id: string): Promise<void>
}

/** Keeps sessions as long as the page lives, for browsers without storage. */
export class MemoryStorage implements SessionStorage {
  readonly #sessions = new Map<string, Session>()

  async list(userId: number): Promise<readonly unknown[]> {
    return [...this.#sessions.values()].filter((session) => session.userId === userId)
  }

  async get(id: string): Promise<unknown> {
    return this.#sessions.get(id)
  }

  async put(session: Session): Promise<void> {
    this.#sessions.set(session.id, session)
  }

  async remove(id: string): Promise<void> {
    this.#sessions.delete(id)
  }
}

const databaseName = 'tollgate-playground'
const databaseVersion = 1
const storeName = 'sessions'
const byUser = 'userId'

/** Uses IndexedDB, which has room for images and writes without blocking the page. */
export class IndexedDbStorage implements SessionStorage {
  readonly #factory: IDBFactory
  #database: Promise<IDBDatabase> | undefined

  constructor(factory: IDBFactory) {
    this.#factory = factory
  }

  list(userId: number): Promise<readonly unknown[]> {
    return this.#inStore('readonly', (sessions) => sessions.index(byUser).getAll(userId))
  }

  get(id: string): Promise<unknown> {
    return this.#inStore('readonly', (sessions) => sessions.get(id))
  }

  async put(session: Session): Promise<void> {
    await this.#inStore('readwrite', (sessions) => sessions.put(session))
  }

  remove(id: string): Promise<void> {
    return this.#inStore('readwrite', (sessions) => sessions.delete(id))
  }

  async #inStore<T>(mode: IDBTransactionMode, act: (sessions: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await this.#open()).transaction(storeName, mode)
    const request = act(transaction.objectStore(storeName))
    await waitForCompletion(transaction)
    return request.result
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= openDatabase(this.#factory)
    // A failure is not cached: the next call may succeed.
    this.#database.catch(() => (this.#database = undefined))
    return this.#database
  }
}

function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName, databaseVersion)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(storeName, { keyPath: 'id' }).createIndex(byUser, byUser)
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('cannot open the database')))
  })
}

/** Resolves when the transaction is complete: a full disk only shows there. */
function waitForCompletion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('the browser kept nothing'))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', fail)
    transaction.addEventListener('error', fail)
  })
}
