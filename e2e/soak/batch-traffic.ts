import type { Random } from './random'
import { chatModel, type Payer } from './site'

/** What a client knows of a batch that it submitted. */
export interface BatchOutcome {
  readonly payer: Payer
  /** Empty: it was refused, or the response was lost. */
  readonly batchId: string
  readonly lines: number
}

export interface BatchTrafficOptions {
  readonly urls: readonly [string, ...string[]]
  readonly payers: readonly [Payer, ...Payer[]]
  readonly random: Random
  /** No batch is submitted after this has resolved. */
  readonly until: Promise<unknown>
}

const timeoutMs = 20_000
const size = { min: 1, max: 8 }
const pauseMs = { min: 150, max: 500 }

/** Submits small batches one after the other. Resolves when all submissions have ended. */
export async function submitBatchesUntil(options: BatchTrafficOptions): Promise<BatchOutcome[]> {
  const { random, until } = options
  const outcomes: BatchOutcome[] = []
  const state = { isOver: false }
  void until.then(() => (state.isOver = true))
  while (!state.isOver) {
    outcomes.push(await submitOne(options))
    await Bun.sleep(random.between(pauseMs.min, pauseMs.max))
  }
  return outcomes
}

async function submitOne({ urls, payers, random }: BatchTrafficOptions): Promise<BatchOutcome> {
  const payer = random.pick(payers)
  const lines = random.between(size.min, size.max)
  const requests = Array.from({ length: lines }, (_, index) => ({
    custom_id: `line-${index}`,
    params: { model: chatModel, max_tokens: 100, messages: [{ role: 'user', content: `a line of a batch: ${index}` }] },
  }))
  const outcome = { payer, batchId: '', lines }
  try {
    const response = await fetch(`${random.pick(urls)}/v1/messages/batches`, {
      method: 'POST',
      headers: { 'x-api-key': payer.key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ requests }),
      keepalive: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { id }: { id?: unknown } = await response.json()
    if (response.ok && typeof id === 'string') outcome.batchId = id
  } catch {
    // The response was lost, whatever became of the batch.
  }
  return outcome
}
