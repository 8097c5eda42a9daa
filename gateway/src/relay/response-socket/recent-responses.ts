import type { JsonObject } from '@tollgate/dialects'

/** A response that the next turn may build on. */
export interface RecentResponse {
  readonly id: string
  /** Everything said until then, with the response. */
  readonly items: readonly JsonObject[]
  /** What the items take as a text. */
  readonly bytes: number
}

/** Conversations that a client tells apart. */
const maxStreams = 32
/** Longer conversations are not kept. */
export const maxRecentBytes = 16 * 1024 * 1024
/** What is parsed takes about as much again as its text. */
const parsedFactor = 2

/** The last response of each conversation of a socket, in the memory of the socket alone: what no vendor keeps may go on there. */
export class RecentResponses {
  readonly #byStream = new Map<string, RecentResponse>()

  /** How much memory they take. */
  get bytes(): number {
    let sum = 0
    for (const { bytes } of this.#byStream.values()) sum += bytes * parsedFactor
    return sum
  }

  find(id: string): RecentResponse | undefined {
    for (const response of this.#byStream.values()) if (response.id === id) return response
    return undefined
  }

  /** Keeps a response instead of the one before it; the oldest conversations are forgotten for it. */
  keep(streamId: string, response: RecentResponse): void {
    this.#byStream.delete(streamId)
    this.#byStream.set(streamId, response)
    for (const [oldest] of this.#byStream) {
      if (this.#byStream.size <= maxStreams && this.bytes <= maxRecentBytes) return
      this.#byStream.delete(oldest)
    }
  }

  forget(id: string): void {
    for (const [streamId, response] of this.#byStream) if (response.id === id) this.#byStream.delete(streamId)
  }

  clear(): void {
    this.#byStream.clear()
  }
}
