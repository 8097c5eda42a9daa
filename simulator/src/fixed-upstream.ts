import { chat } from './openai/chat'
import { listen, type Exchange } from './http/server'

export interface FixedUpstreamOptions {
  readonly port?: number
  /** Completion tokens of each answer; a stream has a frame for each. Default 8. */
  readonly tokens?: number
  readonly promptTokens?: number
  /** Milliseconds between the frames of a stream. Default 0: all leave at once, each in its own write. */
  readonly gapMs?: number
}

/** An upstream that says always the same and costs next to nothing, but counts what it served. */
export interface FixedUpstream {
  readonly url: string
  readonly port: number
  /** As in the options; may be changed while no answer is under way. */
  tokens: number
  gapMs: number
  /** Of one answer. */
  readonly promptTokens: number
  readonly framesPerStream: number
  /** Answers that were begun and are neither served nor aborted. */
  readonly inFlight: number
  /** Answers whose last byte left, those that were left before it, and the tokens of the former. */
  readonly served: { whole: number; streams: number; aborted: number; completionTokens: number }
  stop(): Promise<void>
}

const model = 'gpt-4o-mini'
const streamMark = Buffer.from('"stream":true')

/** Start one on loopback. It answers every request with a chat completion, streamed when the body has `"stream":true`. */
export function startFixedUpstream(options: FixedUpstreamOptions = {}): FixedUpstream {
  const promptTokens = options.promptTokens ?? 20
  const served = { whole: 0, streams: 0, aborted: 0, completionTokens: 0 }
  let answers = answersOf(options.tokens ?? 8, promptTokens)
  let begun = 0
  const finished = (exchange: Exchange, kind: 'whole' | 'streams') => {
    if (exchange.isGone) served.aborted += 1
    else {
      served[kind] += 1
      served.completionTokens += answers.tokens
    }
    exchange.end()
  }
  const answer = async (exchange: Exchange): Promise<void> => {
    begun += 1
    if (exchange.request.body.includes(streamMark)) return answerStream(exchange)
    const sent = exchange.write(answers.whole)
    if (sent) await sent
    finished(exchange, 'whole')
  }
  const answerStream = async (exchange: Exchange): Promise<void> => {
    for (const [index, frame] of answers.frames.entries()) {
      if (index > 0) await exchange.wait(upstream.gapMs)
      await exchange.write(frame)
    }
    finished(exchange, 'streams')
  }
  const server = listen({ hostname: '127.0.0.1', port: options.port ?? 0 }, answer)
  const upstream: FixedUpstream = {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    promptTokens,
    get tokens() {
      return answers.tokens
    },
    set tokens(tokens) {
      answers = answersOf(tokens, promptTokens)
    },
    get framesPerStream() {
      return answers.frames.length
    },
    gapMs: options.gapMs ?? 0,
    get inFlight() {
      return begun - served.whole - served.streams - served.aborted
    },
    served,
    stop: () => server.stop(),
  }
  return upstream
}

function answersOf(tokens: number, promptTokens: number) {
  const behaviour = { tokens, promptTokens, usage: 'always' } as const
  return {
    tokens,
    whole: wholeAnswer(chat({ model }, behaviour, 1)),
    frames: streamFrames(chat({ model, stream: true }, behaviour, 1)),
  }
}

type ChatAnswer = ReturnType<typeof chat>

function wholeAnswer(answer: ChatAnswer): Buffer {
  const body = Buffer.from(JSON.stringify(answer.kind === 'whole' ? answer.body : {}))
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** A chunk for each event; the head goes with the first and the end of the body with the last. */
function streamFrames(answer: ChatAnswer): Buffer[] {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
  const events = answer.kind === 'stream' ? [...answer.events, { data: '[DONE]' }] : []
  const chunks = events.map(({ data }) => {
    const event = `data: ${data}\n\n`
    return `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`
  })
  return chunks.map((chunk, index) => {
    const isLast = index === chunks.length - 1
    return Buffer.from(`${index === 0 ? head : ''}${chunk}${isLast ? '0\r\n\r\n' : ''}`)
  })
}
