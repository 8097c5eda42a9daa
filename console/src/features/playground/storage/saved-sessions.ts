import { isArriving, Session, type Turn } from '../session/session'
import { overBounds, summaryOf, type Summary } from './bounds'
import type { SessionStorage } from './session-storage'

/** The stored sessions of one user. */
export class SavedSessions {
  readonly #storage: SessionStorage
  readonly #userId: number
  readonly #loaded: Promise<void>
  readonly #listeners = new Set<() => void>()
  /** Ids of deleted sessions: a late response must not restore one. */
  readonly #removed = new Set<string>()
  #summaries: readonly Summary[] | undefined
  #isKeeping = true

  constructor(storage: SessionStorage, userId: number) {
    this.#storage = storage
    this.#userId = userId
    this.#loaded = this.#load()
  }

  /** Undefined until they are loaded. */
  summaries(): readonly Summary[] | undefined {
    return this.#summaries
  }

  /** Whether the last save succeeded. */
  isKeeping(): boolean {
    return this.#isKeeping
  }

  /** Bound: React takes it as a function, and subscribes again when it is another. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async open(id: string): Promise<Session | undefined> {
    const session = Session.safeParse(await this.#storage.get(id).catch(() => undefined)).data
    return session && session.userId === this.#userId && !this.#removed.has(id) ? interruptSession(session) : undefined
  }

  async save(session: Session): Promise<void> {
    if (this.#removed.has(session.id)) return
    await this.#loaded
    const stored = await this.#put(session)
    if (this.#removed.has(session.id)) return this.#forget(session.id)
    const others = (this.#summaries ?? []).filter(({ id }) => id !== session.id)
    this.#set([...others, summaryOf(session)], stored)
    for (const id of overBounds(this.#summaries ?? [], session.id)) await this.#forget(id)
  }

  async rename(id: string, title: string): Promise<void> {
    const session = await this.open(id)
    if (session) await this.save({ ...session, title: title.trim() })
  }

  async remove(id: string): Promise<void> {
    this.#removed.add(id)
    await this.#forget(id)
  }

  #set(summaries: readonly Summary[], isKeeping = this.#isKeeping): void {
    this.#summaries = summaries
    this.#isKeeping = isKeeping
    for (const listener of this.#listeners) listener()
  }

  async #load(): Promise<void> {
    try {
      const stored = await this.#storage.list(this.#userId)
      const read = stored.flatMap((value) => Session.safeParse(value).data ?? []).map(summaryOf)
      const known = new Set(this.#summaries?.map(({ id }) => id))
      this.#set([...(this.#summaries ?? []), ...read.filter(({ id }) => !known.has(id))])
    } catch {
      this.#set(this.#summaries ?? [], false)
    }
  }

  /** Stores a session, dropping as many of the oldest as necessary. */
  async #put(session: Session): Promise<boolean> {
    const oldestFirst = (this.#summaries ?? []).toSorted((one, other) => one.updatedAt - other.updatedAt)
    for (const { id } of [...oldestFirst.filter(({ id: other }) => other !== session.id), { id: '' }]) {
      try {
        await this.#storage.put(session)
        return true
      } catch (error) {
        if (!isFull(error) || id === '') return false
        await this.#forget(id)
      }
    }
    return false
  }

  async #forget(id: string): Promise<void> {
    this.#set((this.#summaries ?? []).filter((summary) => summary.id !== id))
    await this.#storage.remove(id).catch(() => {})
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
