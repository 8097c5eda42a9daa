import { indexedDbStorage } from './indexed-db'
import { memoryStorage, type SessionStorage } from './session-storage'
import { createSavedSessions, type SavedSessions } from './saved-sessions'

const byUser = new Map<number, SavedSessions>()
let storage: SessionStorage | undefined

/** Returns the store of a user; people who share a browser cannot read one another's sessions. */
export function savedSessionsOf(userId: number): SavedSessions {
  storage ??= typeof indexedDB === 'undefined' ? memoryStorage() : indexedDbStorage(indexedDB)
  const saved = byUser.get(userId) ?? createSavedSessions(storage, userId)
  byUser.set(userId, saved)
  return saved
}
