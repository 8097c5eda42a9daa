/** A response as it is kept. */
export interface StoredResponse {
  /** What is known of it, as JSON in one line. */
  readonly facts: string
  /** The body that its client got. UTF-8. */
  readonly body: Uint8Array
}

/** For how long a response is kept, and how much all of them may take. */
export interface KeepTerms {
  readonly ttlMs: number
  readonly maxBytes: number
}

export interface HeldResponses {
  readonly entries: number
  readonly bytes: number
}

/** Responses by key. Neither finding nor keeping one ever fails: what is not there is asked of a channel. */
export interface ResponseStore {
  find(key: string): Promise<StoredResponse | null>
  /** Keeps a response in place of an earlier one; others leave for it where there is no room. */
  keep(key: string, response: StoredResponse, terms: KeepTerms): Promise<void>
  /** Forgets what this worker has in memory. */
  forget(): void
  /** Forgets what all workers share. Resolves with false where that is out of reach for now. */
  clearShared(): Promise<boolean>
  /** What this worker has in memory. */
  readonly held: HeldResponses
  /** Resolves with what all workers share; null where they share nothing, or it is out of reach. */
  sharedHeld(): Promise<HeldResponses | null>
  /** They are shared, and out of reach for now: each worker keeps its own in memory. */
  readonly isAlone: boolean
  close(): void
}

/** What an entry takes beside its texts. */
const entryBytes = 256

/** Returns about how much memory a response takes. */
export const bytesOfResponse = (key: string, { facts, body }: StoredResponse): number =>
  key.length + facts.length + body.byteLength + entryBytes
