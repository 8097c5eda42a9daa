import { aWav } from '../../gateway/test/recordings'
import type { CallOutcome } from './call-outcome'
import { fileMark, uploadFile } from './named-file'
import type { Random } from './random'
import { callInSession } from './session-call'
import { callOverSocket } from './socket-call'
import { chatModel, claudeModel, imageModel, speechModel, transcriptModel, voiceModel, type Payer } from './site'

export interface TrafficOptions {
  readonly name: string
  readonly urls: readonly [string, ...string[]]
  readonly payers: readonly [Payer, ...Payer[]]
  readonly clients: number
  readonly random: Random
  /** No call begins after this has resolved. */
  until(traffic: Traffic): Promise<unknown>
}

/** The calls of a round, for a fault that needs more of them. */
export interface Traffic {
  /** Starts this many calls at once. */
  burst(calls: number): void
  /** Sends no more calls to this gateway, as a balancer does; empty: to all again. */
  avoid(url: string): void
}

/** Prompts have to stay short, and each has a length of its own. */
const maxCalls = 900
/** Longer than a start of all processes takes on a busy machine. */
const timeoutMs = 60_000
/** The gateway is down or refuses this caller: retrying at once would only waste calls. */
const pauseAfterFailureMs = 150
/** About the time until a response begins. */
const maxWaitMs = 15

/** Runs clients that call with short pauses. Resolves when all their calls have ended. */
export async function callUntil(options: TrafficOptions): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  const state = { isOver: false, calls: 0, avoided: '' }
  const bursts: Promise<void>[] = []
  const once = async () => {
    const [first, ...more] = options.urls.filter((url) => url !== state.avoided)
    const urls = first === undefined ? options.urls : ([first, ...more] as const)
    const outcome = await callOnce({ ...options, urls }, (state.calls += 1))
    outcomes.push(...outcome)
    return outcome.every(({ isComplete }) => isComplete)
  }
  const until = options.until({
    burst: (calls) => void bursts.push(...Array.from({ length: calls }, async () => void (await once()))),
    avoid: (url) => void (state.avoided = url),
  })
  void until.then(() => (state.isOver = true))
  const client = async () => {
    while (!state.isOver && state.calls < maxCalls) {
      const isComplete = await once()
      await Bun.sleep(isComplete ? options.random.between(0, 20) : pauseAfterFailureMs)
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client))
  await until
  await Promise.all(bursts)
  return outcomes
}

/** One way to call. */
interface CallStyle {
  readonly path: string
  readonly model: string
  /** JSON, or a form. */
  body(payload: Question): object | FormData
  /** It names a file that is uploaded before. */
  readonly namesFile?: boolean
  /** Whether it is streamed, where that does not vary. */
  readonly isStream?: boolean
  /** End of a complete stream. */
  readonly end: string
  /** End of the content, before the usage. */
  readonly finish: string
  /** Whether a whole response is complete. Absent: it is JSON. */
  isWhole?(text: string): boolean
}

interface Question {
  /** Part of every prompt. */
  readonly name: string
  readonly text: string
  /** More tokens than the response has. */
  readonly maxTokens: number
  readonly isStream: boolean
  /** Empty where the call names none. */
  readonly fileId: string
}

const chat = (model: string): CallStyle => ({
  path: '/v1/chat/completions',
  model,
  body: ({ text: content, maxTokens }) => ({ max_tokens: maxTokens, messages: [{ role: 'user', content }] }),
  end: 'data: [DONE]',
  finish: '"finish_reason":"stop"',
})
const messages = (model: string): CallStyle => ({
  ...chat(model),
  path: '/v1/messages',
  end: '"message_stop"',
  finish: '"content_block_stop"',
})
const responses: CallStyle = {
  path: '/v1/responses',
  model: chatModel,
  body: ({ text: input, maxTokens }) => ({ max_output_tokens: maxTokens, input }),
  end: '"response.completed"',
  finish: '"response.output_text.done"',
}
const chatWithFile = (model: string): CallStyle => ({
  ...chat(model),
  namesFile: true,
  body: ({ text, maxTokens, fileId }) => ({
    max_tokens: maxTokens,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'file', file: { file_id: fileId } },
        ],
      },
    ],
  }),
})
const messagesWithFile: CallStyle = {
  ...messages(claudeModel),
  namesFile: true,
  body: ({ text, maxTokens, fileId }) => ({
    max_tokens: maxTokens,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'document', source: { type: 'file', file_id: fileId } },
        ],
      },
    ],
  }),
}
const responsesWithFile: CallStyle = {
  ...responses,
  namesFile: true,
  body: ({ text, maxTokens, fileId }) => ({
    max_output_tokens: maxTokens,
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text },
          { type: 'input_file', file_id: fileId },
        ],
      },
    ],
  }),
}
const images: CallStyle = {
  path: '/v1/images/generations',
  model: imageModel,
  body: ({ text: prompt, isStream }) => ({ prompt, quality: 'low', ...(isStream && { partial_images: 2 }) }),
  end: '"image_generation.completed"',
  finish: '"image_generation.partial_image"',
}
/** Speech comes as bytes. */
const speech: CallStyle = {
  path: '/v1/audio/speech',
  model: speechModel,
  body: ({ text: input }) => ({ input, voice: 'alloy' }),
  isStream: false,
  end: '',
  finish: '',
  isWhole: (text) => text !== '',
}
const voice: CallStyle = {
  path: '/v1/audio/speech',
  model: voiceModel,
  body: ({ name: input }) => ({ input, voice: 'alloy', stream_format: 'sse' }),
  isStream: true,
  end: '"speech.audio.done"',
  finish: '"speech.audio.delta"',
}
const recording = new Uint8Array(aWav(2))
const transcripts: CallStyle = {
  path: '/v1/audio/transcriptions',
  model: transcriptModel,
  body({ name, isStream }) {
    const form = new FormData()
    for (const [field, value] of Object.entries({ model: transcriptModel, prompt: name, stream: String(isStream) }))
      form.append(field, value)
    form.append('file', new File([recording], 'a.wav', { type: 'audio/wav' }))
    return form
  },
  end: '"transcript.text.done"',
  finish: '"transcript.text.delta"',
}

/** Responses in a session over a WebSocket. */
const sessions = 'sessions'
/** Turns over a WebSocket. */
const sockets = 'sockets'

type CallKind = CallStyle | typeof sessions | typeof sockets

/** Passed through and translated. */
const manners: readonly [CallKind, ...CallKind[]] = [
  chat(chatModel),
  chat(chatModel),
  chat(claudeModel),
  messages(claudeModel),
  messages(chatModel),
  responses,
  chatWithFile(chatModel),
  chatWithFile(claudeModel),
  messagesWithFile,
  responsesWithFile,
  images,
  speech,
  voice,
  transcripts,
  sessions,
  sockets,
  sockets,
]

async function callOnce({ name: round, urls, payers, random }: TrafficOptions, number: number): Promise<CallOutcome[]> {
  const name = `soak-${round}-${number}`
  const payer = random.pick(payers)
  const style = random.pick(manners)
  if (style === sessions) return callInSession({ name, url: random.pick(urls), payer, random, timeoutMs })
  if (style === sockets) return callOverSocket({ round, number, url: random.pick(urls), payer, random, timeoutMs })
  const isStream = style.isStream ?? random.next() < 0.6
  // More than any response has, so that the reservation covers its cost.
  const maxTokens = random.between(40, 80)
  const timeout = AbortSignal.timeout(timeoutMs)
  // Any gateway has the file, whichever it was sent to. Without one there is no call.
  const fileId = style.namesFile ? await uploadFile(random.pick(urls), payer.key, timeout).catch(() => null) : ''
  if (fileId === null) return []
  const text = `${name.padEnd(24)}${' about'.repeat(12 + number)}${style.namesFile ? ` ${fileMark}` : ''}`
  const leaving = new AbortController()
  const isEnough = random.next() < 0.12 ? leavingAt(random, style, leaving) : never
  const outcome = {
    name,
    payer,
    model: style.model,
    requestId: '',
    status: 0,
    isComplete: false,
    hasLeft: false,
    isLate: false,
    ms: 0,
  }
  const beganAt = performance.now()
  try {
    const payload = style.body({ name: name.padEnd(24), text, maxTokens, isStream, fileId })
    const isForm = payload instanceof FormData
    const response = await fetch(random.pick(urls) + style.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${payer.key}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? payload : JSON.stringify({ model: style.model, stream: isStream, ...payload }),
      // A reused connection could break silently, and the call be sent a second time.
      keepalive: false,
      signal: AbortSignal.any([leaving.signal, timeout]),
    })
    outcome.requestId = response.headers.get('x-request-id') ?? ''
    outcome.status = response.status
    const reply = await read(response, isEnough, leaving)
    outcome.isComplete =
      response.status === 200 && (isStream ? reply.includes(style.end) : (style.isWhole?.(reply) ?? isObject(reply)))
  } catch {
    // Whatever the cause, the client does not have its response.
    outcome.isLate = timeout.aborted
  }
  outcome.hasLeft = leaving.signal.aborted
  outcome.ms = performance.now() - beganAt
  return [outcome]
}

const never = () => false

/**
 * Returns a function that decides when a client has read enough to leave: at any point, or when the response is complete and its usage
 * has not arrived. Some leave before the response begins.
 */
function leavingAt(random: Random, { finish }: CallStyle, leaving: AbortController): (text: string) => boolean {
  const stage = random.between(0, 2)
  const bytes = random.between(1, 6000)
  const waitMs = random.between(0, maxWaitMs)
  if (stage === 0) setTimeout(() => leaving.abort(), waitMs)
  if (stage === 1) return (text) => text.length >= bytes
  return stage === 2 ? (text) => text.includes(finish) : never
}

/**
 * Reads a response.
 * @throws Error when it breaks off or the client leaves.
 */
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
