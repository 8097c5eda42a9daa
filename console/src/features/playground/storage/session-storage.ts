import type { Session } from '../session/session'

/** Stores sessions. Each method may fail: storage may be full or forbidden. */
export interface SessionStorage {
  /** Sessions of a user, unordered. */
  readonly list: (userId: number) => Promise<readonly unknown[]>
  readonly get: (id: string) => Promise<unknown>
  readonly put: (session: Session) => Promise<void>
  readonly remove: (id: string) => Promise<void>
}

/** Keeps sessions as long as the page lives, for browsers without storage. */
export function memoryStorage(): SessionStorage {
  const sessions = new Map<string, Session>()
  return {
    list: (userId) => Promise.resolve([...sessions.values()].filter((session) => session.userId === userId)),
    get: (id) => Promise.resolve(sessions.get(id)),
    put(session) {
      sessions.set(session.id, session)
      return Promise.resolve()
    },
    remove(id) {
      sessions.delete(id)
      return Promise.resolve()
    },
  }
}

const databaseName = 'tollgate-playground'
const databaseVersion = 1
const storeName = 'sessions'
const byUser = 'userId'

/** Uses IndexedDB, which has room for images and writes without blocking the page. */
export function indexedDbStorage(factory: IDBFactory): SessionStorage {
  let opened: Promise<IDBDatabase> | undefined
  const database = () => {
    opened ??= openDatabase(factory)
    // A failure is not cached: the next call may succeed.
    opened.catch(() => (opened = undefined))
    return opened
  }
  async function inStore<T>(mode: IDBTransactionMode, act: (sessions: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await database()).transaction(storeName, mode)
    const request = act(transaction.objectStore(storeName))
    await waitForCompletion(transaction)
    return request.result
  }
  return {
    list: (userId) => inStore('readonly', (sessions) => sessions.index(byUser).getAll(userId)),
    get: (id) => inStore('readonly', (sessions) => sessions.get(id)),
    put: async (session) => void (await inStore('readwrite', (sessions) => sessions.put(session))),
    remove: (id) => inStore('readwrite', (sessions) => sessions.delete(id)),
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
