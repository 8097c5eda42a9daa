import type { Random } from './random'
import { chatModel, claudeModel, type Payer } from './site'

/** What became of one call, as its client saw it. */
export interface CallOutcome {
  /** Stands in the prompt, so that the upstream knows it too. */
  readonly name: string
  readonly payer: Payer
  readonly model: string
  /** Empty: no headers came. */
  readonly requestId: string
  /** 0: no headers came. */
  readonly status: number
  /** The client has the answer with its last byte. */
  readonly isComplete: boolean
  /** The client waited in vain. */
  readonly isLate: boolean
}

export interface TrafficOptions {
  readonly name: string
  readonly urls: readonly [string, ...string[]]
  readonly payers: readonly [Payer, ...Payer[]]
  readonly clients: number
  readonly random: Random
  /** No call begins when it has resolved. */
  until(traffic: Traffic): Promise<unknown>
}

/** The calls of a round, for a fault that needs more of them. */
export interface Traffic {
  /** Begin so many calls at once. */
  burst(calls: number): void
}

/** Prompts have to stay short, and each has a length of its own. */
const mostCalls = 900
const patienceMs = 20_000
/** Nobody is there, or has nothing for this caller: asking again at once would only use the calls up. */
const pauseAfterFailureMs = 150

/** Clients that call without much pause. Resolves when all have their answers. */
export async function callUntil(options: TrafficOptions): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  const state = { isOver: false, calls: 0 }
  const bursts: Promise<void>[] = []
  const once = async () => void outcomes.push(await callOnce(options, (state.calls += 1)))
  const until = options.until({ burst: (calls) => void bursts.push(...Array.from({ length: calls }, once)) })
  void until.then(() => (state.isOver = true))
  const client = async () => {
    while (!state.isOver && state.calls < mostCalls) {
      const outcome = await callOnce(options, (state.calls += 1))
      outcomes.push(outcome)
      await Bun.sleep(outcome.isComplete ? options.random.between(0, 20) : pauseAfterFailureMs)
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client))
  await until
  await Promise.all(bursts)
  return outcomes
}

/** One way to call. */
interface Manner {
  readonly path: string
  readonly model: string
  body(text: string, most: number): object
  /** How a complete stream ends. */
  readonly end: string
  /** What a stream ends with, before its usage. */
  readonly finish: string
}

const chat = (model: string): Manner => ({
  path: '/v1/chat/completions',
  model,
  body: (content, most) => ({ max_tokens: most, messages: [{ role: 'user', content }] }),
  end: 'data: [DONE]',
  finish: '"finish_reason":"stop"',
})
const messages = (model: string): Manner => ({
  ...chat(model),
  path: '/v1/messages',
  end: '"message_stop"',
  finish: '"content_block_stop"',
})
const responses: Manner = {
  path: '/v1/responses',
  model: chatModel,
  body: (input, most) => ({ max_output_tokens: most, input }),
  end: '"response.completed"',
  finish: '"response.output_text.done"',
}

/** Passed through and translated. */
const manners: readonly [Manner, ...Manner[]] = [
  chat(chatModel),
  chat(chatModel),
  chat(claudeModel),
  messages(claudeModel),
  messages(chatModel),
  responses,
]

async function callOnce({ name: round, urls, payers, random }: TrafficOptions, number: number): Promise<CallOutcome> {
  const name = `soak-${round}-${number}`
  const manner = random.pick(manners)
  const payer = random.pick(payers)
  const isStream = random.next() < 0.6
  // more than any answer has, so that what is reserved covers what it costs
  const most = random.between(40, 80)
  const text = `${name.padEnd(24)}${' about'.repeat(12 + number)}`
  // some clients leave: early, anywhere, or when the answer is complete and its usage has not arrived
  const isLeaving = random.next() < 0.12
  const isEnough = !isLeaving ? () => false : leavingAt(random, manner)
  const leaving = new AbortController()
  const patience = AbortSignal.timeout(patienceMs)
  const outcome = { name, payer, model: manner.model, requestId: '', status: 0, isComplete: false, isLate: false }
  try {
    const response = await fetch(random.pick(urls) + manner.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${payer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: manner.model, stream: isStream, ...manner.body(text, most) }),
      // a connection that is used again could break unseen, and the call be sent a second time
      keepalive: false,
      signal: AbortSignal.any([leaving.signal, patience]),
    })
    outcome.requestId = response.headers.get('x-request-id') ?? ''
    outcome.status = response.status
    const answer = await read(response, isEnough, leaving)
    outcome.isComplete = response.status === 200 && (isStream ? answer.includes(manner.end) : isObject(answer))
  } catch {
    // Whatever it was, the client does not have its answer.
    outcome.isLate = patience.aborted
  }
  return outcome
}

/** Decides when a client has read enough to leave. */
function leavingAt(random: Random, { finish }: Manner): (text: string) => boolean {
  const bytes = random.between(1, 6000)
  return random.next() < 0.5 ? (text) => text.length >= bytes : (text) => text.includes(finish)
}

/** @throws Error when the answer breaks off, or the client does. */
async function read(
  response: Response,
  isEnough: (text: string) => boolean,
  leaving: AbortController,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (isEnough(text)) leaving.abort()
  }
  return text
}

function isObject(text: string): boolean {
  return typeof JSON.parse(text) === 'object'
}
