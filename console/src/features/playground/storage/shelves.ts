import { indexedDbStorage } from './indexed-db'
import { memoryStorage, type SessionStorage } from './session-storage'
import { createShelf, type Shelf } from './shelf'

const shelves = new Map<number, Shelf>()
let storage: SessionStorage | undefined

/** Returns the store of a user; people who share a browser cannot read one another's sessions. */
export function shelfOf(userId: number): Shelf {
  storage ??= typeof indexedDB === 'undefined' ? memoryStorage() : indexedDbStorage(indexedDB)
  const shelf = shelves.get(userId) ?? createShelf(storage, userId)
  shelves.set(userId, shelf)
  return shelf
}
