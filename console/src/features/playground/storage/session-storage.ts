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
