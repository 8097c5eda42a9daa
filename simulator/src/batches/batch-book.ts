/**
 * What becomes of a batch. `finish`: accepted, in progress, done, one state for each question. `at-once`: done at the first question. `hang`: in
 * progress until it is cancelled. `half`: its time is over when half of its calls are made. `refuse`: its calls are found to be wrong.
 */
export const batchFates = ['finish', 'at-once', 'hang', 'half', 'refuse'] as const
export type BatchFate = (typeof batchFates)[number]

/** A call of a batch, as any vendor has it. */
export interface StandInCall {
  readonly id: string
  readonly path: string
  readonly body: unknown
}

/** What became of a call; null: it was not made. */
export type StandInResult = { readonly status: number; readonly body: unknown } | null

export interface StandInBatch {
  readonly id: string
  readonly calls: readonly StandInCall[]
  readonly fate: BatchFate
  /** Milliseconds. */
  readonly createdAt: number
  /** What else was submitted. */
  readonly order: Readonly<Record<string, unknown>>
  isCancelled: boolean
  /** How often it was queried. */
  queries: number
  /** How many calls it says to have ended while it runs. */
  shown: { readonly succeeded: number; readonly failed: number }
  /** By the id of the call; null until it has ended. */
  results: ReadonlyMap<string, StandInResult> | null
}

/** What is said about files and batches. `submission`: something is there now. Null: the request is about neither. */
export type BatchReply = { readonly kind: 'submission' | 'other'; readonly response: Response } | null

export type BatchState = 'accepted' | 'running' | 'cancelling' | 'refused' | 'done' | 'cancelled' | 'expired'

/** The batches of one stand-in. Their states follow from how often they were queried, not from time. */
export class BatchBook {
  readonly batches = new Map<string, StandInBatch>()
  readonly #next: BatchFate[] = []
  usual: BatchFate = 'finish'

  /** `make`: makes a call. */
  constructor(private readonly make: (call: StandInCall) => Promise<StandInResult>) {}

  /** For the next batches, the first first; then `usual`. */
  next(...fates: readonly BatchFate[]): void {
    this.#next.push(...fates)
  }

  submit(id: string, calls: readonly StandInCall[], order: StandInBatch['order'] = {}): StandInBatch {
    const fate = this.#next.shift() ?? this.usual
    const shown = { succeeded: 0, failed: 0 }
    const batch = {
      id,
      calls,
      fate,
      createdAt: Date.now(),
      order,
      isCancelled: false,
      queries: 0,
      shown,
      results: null,
    }
    this.batches.set(id, batch)
    return batch
  }

  /** Resolves with the state that a question finds. */
  async query(batch: StandInBatch): Promise<BatchState> {
    batch.queries += 1
    if (batch.fate === 'refuse') return 'refused'
    if (batch.results === null && !isDue(batch)) return batch.queries === 1 ? 'accepted' : 'running'
    batch.results ??= await this.#resultsOf(batch)
    return stateOf(batch)
  }

  async #resultsOf({ calls, fate, isCancelled }: StandInBatch): Promise<Map<string, StandInResult>> {
    const doneCount = isCancelled || fate === 'half' ? Math.ceil(calls.length / 2) : calls.length
    const results = new Map<string, StandInResult>()
    for (const [index, call] of calls.entries()) results.set(call.id, index < doneCount ? await this.make(call) : null)
    return results
  }
}

const isDue = ({ fate, queries, isCancelled }: StandInBatch): boolean =>
  isCancelled || fate === 'at-once' || (fate !== 'hang' && queries > 2)

/** Returns the state of a batch without a question. */
export function stateOf({ fate, results, isCancelled, queries }: StandInBatch): BatchState {
  if (results === null) return isCancelled ? 'cancelling' : queries > 1 ? 'running' : 'accepted'
  if (isCancelled) return 'cancelled'
  return fate === 'half' ? 'expired' : 'done'
}
