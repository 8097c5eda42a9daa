import type { Clock } from '../time/clock'
import {
  bytesOfResponse,
  type ResponseStore,
  type HeldResponses,
  type KeepTerms,
  type StoredResponse,
} from './response-store'

interface Entry {
  readonly response: StoredResponse
  readonly bytes: number
  /** Monotonic milliseconds. */
  readonly endsAt: number
}

/** How often responses that have ended are looked for, beside those that are asked for. */
const sweepMs = 60_000

/** Keeps responses in this process; those that were not used for longest leave first. */
export class MemoryResponses implements ResponseStore {
  readonly isAlone = false
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #sweptAt: number

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.#sweptAt = clock.monotonic()
  }

  async find(key: string): Promise<StoredResponse | null> {
    const entry = this.#entries.get(key)
    if (!entry) return null
    this.#entries.delete(key)
    if (entry.endsAt > this.clock.monotonic()) {
      this.#entries.set(key, entry)
      return entry.response
    }
    this.#bytes -= entry.bytes
    return null
  }

  async keep(key: string, response: StoredResponse, { ttlMs, maxBytes }: KeepTerms): Promise<void> {
    const now = this.clock.monotonic()
    const bytes = bytesOfResponse(key, response)
    this.#drop(key)
    if (now - this.#sweptAt >= sweepMs) this.#sweep(now)
    if (bytes > maxBytes) return
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes + bytes <= maxBytes) break
      this.#drop(oldest)
    }
    this.#entries.set(key, { response, bytes, endsAt: now + ttlMs })
    this.#bytes += bytes
  }

  forget(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  clearShared = (): Promise<boolean> => Promise.resolve(true)

  get held(): HeldResponses {
    return { entries: this.#entries.size, bytes: this.#bytes }
  }

  sharedHeld = (): Promise<null> => Promise.resolve(null)

  close(): void {
    this.forget()
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    for (const [key, { endsAt }] of this.#entries) if (endsAt <= now) this.#drop(key)
  }
}
