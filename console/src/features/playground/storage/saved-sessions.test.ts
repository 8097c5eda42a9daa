import { describe, expect, test } from 'bun:test'

import type { Session } from '../session/session'
import { aSession, aConversation, anAnswer, aTurn } from '../test/factories'
import { findSessions, overBounds, summaryOf } from './bounds'
import { MemoryStorage } from './session-storage'
import { SavedSessions } from './saved-sessions'

const full = () => Object.assign(new Error('full'), { name: 'QuotaExceededError' })

/** A browser with room for this many sessions. */
class SmallStorage extends MemoryStorage {
  constructor(private readonly maxSessions: number) {
    super()
  }

  override async put(session: Session): Promise<void> {
    const known = await this.list(session.userId)
    if (known.length >= this.maxSessions && (await this.get(session.id)) === undefined) throw full()
    return super.put(session)
  }
}

class StorageWithOthers extends MemoryStorage {
  override async list(userId: number): Promise<readonly unknown[]> {
    return [...(await super.list(userId)), { id: 'x' }, null]
  }
}

const names = (saved: SavedSessions) => (saved.summaries() ?? []).map(({ id }) => id).sort()

describe('the session store', () => {
  test('stored sessions are read back', async () => {
    const saved = new SavedSessions(new MemoryStorage(), 1)
    const session = aSession({ turns: aConversation(['t1', 'Hello\nthere', 'Hi']) })
    await saved.save(session)
    expect(await saved.open('s1')).toEqual(session)
    expect(saved.summaries()?.[0]).toMatchObject({ id: 's1', name: 'Hello', models: ['kite-1'] })
  })

  test('unreadable sessions and those of other users are left out', async () => {
    const storage = new StorageWithOthers()
    await storage.put(aSession())
    await storage.put(aSession({ id: 'other', userId: 2 }))
    const saved = new SavedSessions(storage, 1)
    await saved.save(aSession({ id: 's2' }))
    expect(names(saved)).toEqual(['s1', 's2'])
    expect(await saved.open('other')).toBeUndefined()
  })

  test('responses that were arriving when the page was closed are stopped', async () => {
    const saved = new SavedSessions(new MemoryStorage(), 1)
    await saved.save(
      aSession({ turns: [aTurn({ answers: { l1: anAnswer({ status: 'incomplete', content: 'Half' }) } })] }),
    )
    const answer = (await saved.open('s1'))?.turns[0]?.answers['l1']
    expect(answer).toMatchObject({ status: 'complete', isStopped: true, content: 'Half' })
  })

  test('a full browser drops the oldest sessions', async () => {
    const saved = new SavedSessions(new SmallStorage(2), 1)
    await saved.save(aSession({ id: 'old', updatedAt: 1 }))
    await saved.save(aSession({ id: 'new', updatedAt: 2 }))
    await saved.save(aSession({ id: 'newest', updatedAt: 3 }))
    expect(names(saved)).toEqual(['new', 'newest'])
    expect(saved.isKeeping()).toBe(true)
  })

  test('a browser without storage is detected, and everything else works', async () => {
    const saved = new SavedSessions(new SmallStorage(0), 1)
    await saved.save(aSession())
    expect(saved.isKeeping()).toBe(false)
    const forbidden = () => Promise.reject(new Error('forbidden'))
    const closed = new SavedSessions({ list: forbidden, get: forbidden, put: forbidden, remove: forbidden }, 1)
    await closed.save(aSession())
    expect(closed.isKeeping()).toBe(false)
    expect(await closed.open('s1')).toBeUndefined()
  })

  test('a session is renamed, and found by its name', async () => {
    const saved = new SavedSessions(new MemoryStorage(), 1)
    await saved.save(aSession())
    await saved.rename('s1', ' Trip to Rome ')
    expect(findSessions(saved.summaries() ?? [], 'rome trip').map(({ name }) => name)).toEqual(['Trip to Rome'])
  })

  test('a deleted session does not come back with a late response', async () => {
    const saved = new SavedSessions(new MemoryStorage(), 1)
    await saved.save(aSession())
    await saved.remove('s1')
    await saved.save(aSession())
    expect(saved.summaries()).toEqual([])
    expect(await saved.open('s1')).toBeUndefined()
  })
})

describe('bounds', () => {
  const summary = (id: string, updatedAt: number, size: number) => ({ ...summaryOf(aSession({ id, updatedAt })), size })
  const three = [summary('b', 2, 10), summary('a', 1, 10), summary('c', 3, 10)]

  test.each([
    [{ sessions: 3, characters: 30 }, 'c', []],
    [{ sessions: 2, characters: 30 }, 'c', ['a']],
    [{ sessions: 9, characters: 15 }, 'c', ['a', 'b']],
    [{ sessions: 1, characters: 30 }, 'a', ['b', 'c']],
    [{ sessions: 9, characters: 5 }, 'a', ['b', 'c']],
  ])('bounds of %j with %p in use drop %j', (bounds, inUse, gone) => {
    expect(overBounds(three, inUse, bounds)).toEqual(gone)
  })

  test('images count towards the size', () => {
    const question = { text: 'abc', images: ['x'.repeat(500)] }
    expect(summaryOf(aSession({ turns: [aTurn({ question, answers: {} })] })).size).toBe(503)
  })
})
