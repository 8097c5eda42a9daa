import type { Session } from '../session/session'

/** Where sessions are kept. Each may fail: a browser may be full, or forbid it. */
export interface SessionStorage {
  /** Of a user, in no order. */
  readonly list: (userId: number) => Promise<readonly unknown[]>
  readonly get: (id: string) => Promise<unknown>
  readonly put: (session: Session) => Promise<void>
  readonly remove: (id: string) => Promise<void>
}

/** Keeps sessions as long as the page lives: where the browser keeps nothing, the playground works and forgets. */
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
