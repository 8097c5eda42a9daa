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

/** Keeps the raw data of recent calls, within bounds and as long as the page lives. */
export interface RawLog {
  readonly start: (answerId: string, request: ChatBody) => void
  readonly setStatus: (answerId: string, status: number) => void
  readonly frame: (answerId: string, data: string) => void
  readonly of: (answerId: string) => Raw | undefined
}

interface Entry {
  readonly request: ChatBody
  status: number | undefined
  readonly frames: string[]
  characters: number
  left: number
}

export function createRawLog(): RawLog {
  const entries = new Map<string, Entry>()
  return {
    start(answerId, request) {
      entries.set(answerId, { request, status: undefined, frames: [], characters: 0, left: 0 })
      for (const id of [...entries.keys()].slice(0, Math.max(0, entries.size - maxCalls))) entries.delete(id)
    },
    setStatus(answerId, status) {
      const entry = entries.get(answerId)
      if (entry) entry.status = status
    },
    frame(answerId, data) {
      const entry = entries.get(answerId)
      if (!entry) return
      const isStored = entry.characters + data.length <= maxCharacters
      if (isStored) {
        entry.frames.push(data)
        entry.characters += data.length
      } else entry.left += data.length
    },
    of(answerId) {
      const entry = entries.get(answerId)
      return entry && { request: entry.request, status: entry.status, frames: [...entry.frames], left: entry.left }
    },
  }
}
