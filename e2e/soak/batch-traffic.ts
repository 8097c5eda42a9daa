import type { Random } from './random'
import { batchClaudeModel, batchGeminiModel, batchMistralModel, batchModel, chatModel, type Payer } from './site'

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
  const outcome = { payer, batchId: '', lines }
  try {
    const submit = random.pick(submissions)
    outcome.batchId = await submit({ url: random.pick(urls), key: payer.key, lines })
  } catch {
    // The response was lost, whatever became of the batch.
  }
  return outcome
}

interface Submitted {
  readonly url: string
  readonly key: string
  readonly lines: number
}

const bodyOf = (model: string, index: number) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: `a line of a batch: ${index}` }],
})

/** Returns what submits a batch of Anthropic. One of a model of another vendor is made by the gateway. */
const submitMessages =
  (model: string) =>
  ({ url, key, lines }: Submitted): Promise<string> =>
    post(`${url}/v1/messages/batches`, key, {
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({
        requests: Array.from({ length: lines }, (_, index) => ({
          custom_id: `line-${index}`,
          params: bodyOf(model, index),
        })),
      }),
    })

/** Returns what submits a batch of OpenAI, with its file. */
const submitFile =
  (model: string) =>
  async ({ url, key, lines }: Submitted): Promise<string> => {
    const calls = Array.from({ length: lines }, (_, index) =>
      JSON.stringify({
        custom_id: `line-${index}`,
        method: 'POST',
        url: '/v1/chat/completions',
        body: bodyOf(model, index),
      }),
    )
    const form = new FormData()
    form.set('purpose', 'batch')
    form.set('file', new File([calls.join('\n')], 'lines.jsonl'))
    const fileId = await post(`${url}/v1/files`, key, { headers: {}, body: form })
    return post(`${url}/v1/batches`, key, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input_file_id: fileId, endpoint: '/v1/chat/completions', completion_window: '24h' }),
    })
  }

const submissions = [
  submitMessages(chatModel),
  submitMessages(batchClaudeModel),
  submitMessages(batchGeminiModel),
  ...[batchModel, batchMistralModel, batchGeminiModel].map(submitFile),
] as const

async function post(url: string, key: string, init: Pick<RequestInit, 'body'> & { headers: object }): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: init.body,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
    keepalive: false,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { id }: { id?: unknown } = await response.json()
  if (!response.ok || typeof id !== 'string') throw new Error(`HTTP ${response.status}`)
  return id
}
