import { isArriving, Session, type Turn } from '../session/session'
import { overBounds, summaryOf, type Summary } from './bounds'
import type { SessionStorage } from './session-storage'

/** The stored sessions of one user. */
export interface SavedSessions {
  /** Undefined until they are loaded. */
  readonly summaries: () => readonly Summary[] | undefined
  /** Whether the last save succeeded. */
  readonly isKeeping: () => boolean
  readonly subscribe: (listener: () => void) => () => void
  readonly open: (id: string) => Promise<Session | undefined>
  readonly save: (session: Session) => Promise<void>
  readonly rename: (id: string, title: string) => Promise<void>
  readonly remove: (id: string) => Promise<void>
}

export function createSavedSessions(storage: SessionStorage, userId: number): SavedSessions {
  let summaries: readonly Summary[] | undefined
  let isKeeping = true
  const listeners = new Set<() => void>()
  /** Ids of deleted sessions: a late response must not restore one. */
  const removed = new Set<string>()
  function set(next: readonly Summary[], stored = isKeeping) {
    summaries = next
    isKeeping = stored
    for (const listener of listeners) listener()
  }

  async function load() {
    try {
      const read = (await storage.list(userId)).flatMap((value) => Session.safeParse(value).data ?? []).map(summaryOf)
      const known = new Set(summaries?.map(({ id }) => id))
      set([...(summaries ?? []), ...read.filter(({ id }) => !known.has(id))])
    } catch {
      set(summaries ?? [], false)
    }
  }
  const loaded = load()

  /** Stores a session, dropping as many of the oldest as necessary. */
  async function put(session: Session): Promise<boolean> {
    const oldestFirst = (summaries ?? []).toSorted((one, other) => one.updatedAt - other.updatedAt)
    for (const { id } of [...oldestFirst.filter(({ id: other }) => other !== session.id), { id: '' }]) {
      try {
        await storage.put(session)
        return true
      } catch (error) {
        if (!isFull(error) || id === '') return false
        await forget(id)
      }
    }
    return false
  }

  async function forget(id: string) {
    set((summaries ?? []).filter((summary) => summary.id !== id))
    await storage.remove(id).catch(() => {})
  }

  async function save(session: Session) {
    if (removed.has(session.id)) return
    await loaded
    const stored = await put(session)
    if (removed.has(session.id)) return forget(session.id)
    const others = (summaries ?? []).filter(({ id }) => id !== session.id)
    set([...others, summaryOf(session)], stored)
    for (const id of overBounds(summaries ?? [], session.id)) await forget(id)
  }

  async function open(id: string) {
    const session = Session.safeParse(await storage.get(id).catch(() => undefined)).data
    return session && session.userId === userId && !removed.has(id) ? interruptSession(session) : undefined
  }

  return {
    summaries: () => summaries,
    isKeeping: () => isKeeping,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open,
    save,
    async rename(id, title) {
      const session = await open(id)
      if (session) await save({ ...session, title: title.trim() })
    },
    async remove(id) {
      removed.add(id)
      await forget(id)
    },
  }
}

const isFull = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError'

/** Marks responses that were arriving when the page was closed as stopped. */
function interruptSession(session: Session): Session {
  const stopTurn = (turn: Turn): Turn => ({
    ...turn,
    answers: Object.fromEntries(
      Object.entries(turn.answers).map(([lane, answer]) => [
        lane,
        isArriving(answer) ? { ...answer, status: 'complete', isStopped: true } : answer,
      ]),
    ),
  })
  return { ...session, turns: session.turns.map(stopTurn) }
}
