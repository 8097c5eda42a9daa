import type { ChatBody } from '../session/request-body'

/** The raw data of one response. */
export interface Raw {
  readonly request: ChatBody
  readonly status: number | undefined
  readonly frames: readonly string[]
  /** Number of dropped characters. */
  readonly left: number
}

const maxCharacters = 1_000_000
const maxCalls = 24

interface Entry {
  readonly request: ChatBody
  status: number | undefined
  readonly frames: string[]
  characters: number
  left: number
}

/** Keeps the raw data of recent calls, within bounds and as long as the page lives. */
export class RawLog {
  readonly #entries = new Map<string, Entry>()

  start(answerId: string, request: ChatBody): void {
    this.#entries.set(answerId, { request, status: undefined, frames: [], characters: 0, left: 0 })
    const excess = Math.max(0, this.#entries.size - maxCalls)
    for (const id of [...this.#entries.keys()].slice(0, excess)) this.#entries.delete(id)
  }

  setStatus(answerId: string, status: number): void {
    const entry = this.#entries.get(answerId)
    if (entry) entry.status = status
  }

  frame(answerId: string, data: string): void {
    const entry = this.#entries.get(answerId)
    if (!entry) return
    const isStored = entry.characters + data.length <= maxCharacters
    if (isStored) {
      entry.frames.push(data)
      entry.characters += data.length
    } else entry.left += data.length
  }

  of(answerId: string): Raw | undefined {
    const entry = this.#entries.get(answerId)
    return entry && { request: entry.request, status: entry.status, frames: [...entry.frames], left: entry.left }
  }
}
