import type { JsonObject } from '../../../core/json'
import { type Answering, elapsedMs, type EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../../core/neutral/events'
import { ollamaError } from '../errors'
import type { ErrorView } from '../../../core/views'
import { omitUndefined, nestedObject } from '../../../core/neutral/read'
import { writeLogProbabilities } from '../../openai-chat/log-probabilities'
import type { Usage } from '../../../core/usage'

/** Writes a stream, a line for each piece. */
export const writerOf =
  (form: PieceForm) =>
  (answering: Answering): EventWriter => {
    const writer = new PieceWriter(answering)
    let isDone = false
    return {
      write(events) {
        const lines: JsonObject[] = []
        for (const event of events) {
          if (isDone) break
          const piece = writer.take(event)
          if (piece) lines.push(writer.line({ ...form(piece), done: false }))
          if (writer.error) lines.push(ollamaError(writer.error))
          else if (writer.isOver) lines.push(writer.line({ ...form({}), ...writer.ending(false) }))
          isDone = writer.error !== null || writer.isOver
        }
        return lines
      },
    }
  }

/** Writes a whole answer: what its stream adds up to. After a failure, the error. */
export const wholeOf =
  (form: PieceForm) =>
  (events: readonly AnswerEvent[], answering: Answering): JsonObject => {
    const writer = new PieceWriter(answering)
    const pieces = events.flatMap((event) => writer.take(event) ?? [])
    if (writer.error) return ollamaError(writer.error)
    return writer.line({ ...form(joinPieces(pieces)), ...writer.ending(true) })
  }

function joinPieces(pieces: readonly AnswerPiece[]): AnswerPiece {
  const textOf = (name: 'content' | 'thinking') => pieces.map((piece) => piece[name] ?? '').join('')
  const listOf = (name: 'tool_calls' | 'images' | 'logprobs') =>
    pieces.flatMap((piece): readonly unknown[] => (Array.isArray(piece[name]) ? piece[name] : []))
  const all = { thinking: textOf('thinking'), tool_calls: listOf('tool_calls'), images: listOf('images') }
  const rest = Object.fromEntries(Object.entries(all).filter(([, { length }]) => length > 0))
  const logprobs = listOf('logprobs')
  return { content: textOf('content'), ...rest, ...(logprobs.length > 0 && { logprobs }) }
}

export const eventText = (line: JsonObject): string => `data: ${JSON.stringify(line)}\n\n`

/** A piece of an answer. */
interface AnswerPiece {
  readonly content?: string
  readonly thinking?: string
  readonly tool_calls?: readonly JsonObject[]
  /** Base64. */
  readonly images?: readonly string[]
  readonly logprobs?: unknown
}

/** Where a call of Ollama's puts what a model says: into a message, or next to the other members. */
export type PieceForm = (said: AnswerPiece) => JsonObject

/** https://docs.ollama.com/api/chat */
export const inMessage: PieceForm = ({ content = '', logprobs, ...rest }) =>
  omitUndefined({ message: { role: 'assistant', content, ...rest }, logprobs })

const reasons: Partial<Record<FinishReason, string>> = {
  length: 'length',
  'context-window': 'length',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
}

/** The last one that a date can tell; an upstream may say anything. */
const lastSecond = 8_640_000_000_000

/** What an answer says, in pieces, and what its last line reports. */
class PieceWriter {
  error: ErrorView | null = null
  isOver = false
  #createdAt: number
  #of: BlockKind | null = null
  #arguments = ''
  #calls = 0
  #reason: FinishReason = 'stop'
  #usage: Usage | null = null
  /** Milliseconds from the request to the first piece; null before. */
  #firstMs: number | null = null

  constructor(private readonly answering: Answering) {
    this.#createdAt = answering.now
  }

  take(event: AnswerEvent): AnswerPiece | null {
    if (this.error !== null || this.isOver) return null
    if ('choice' in event && event.choice > 0) return null
    switch (event.type) {
      case 'answer-start':
        if (event.createdAt > 0 && event.createdAt <= lastSecond) this.#createdAt = event.createdAt
        return null
      case 'block-start':
        this.#firstMs ??= this.#elapsedMs
        this.#of = event.of
        this.#arguments = ''
        return null
      case 'block-delta':
        return this.#delta(event.delta)
      case 'block-end':
        return this.#endBlock()
      case 'log-probabilities':
        return { logprobs: writeLogProbabilities(event.tokens)['content'] }
      case 'choice-end':
        this.#reason = event.reason
        return null
      case 'usage':
        this.#usage = event.usage
        return null
      case 'failure':
        this.error = event.error
        return null
      case 'answer-end':
        this.isOver = true
        return null
      default:
        return null
    }
  }

  line(members: JsonObject): JsonObject {
    const created_at = new Date(this.#createdAt * 1000).toISOString()
    return { model: this.answering.model, created_at, ...members }
  }

  /** What the last line reports. Of a whole answer it is not known when it began. */
  ending(isWhole: boolean): JsonObject {
    const totalMs = this.#elapsedMs
    const promptMs = isWhole ? 0 : (this.#firstMs ?? totalMs)
    return {
      done: true,
      done_reason: reasons[this.#reason] ?? 'stop',
      total_duration: nanoseconds(totalMs),
      load_duration: 0,
      prompt_eval_count: this.#usage?.promptTokens ?? 0,
      prompt_eval_duration: nanoseconds(promptMs),
      eval_count: this.#usage?.completionTokens ?? 0,
      eval_duration: nanoseconds(totalMs - promptMs),
    }
  }

  get #elapsedMs(): number {
    return elapsedMs(this.answering)
  }

  #delta(delta: Delta): AnswerPiece | null {
    if (delta.kind === 'media')
      return delta.mime.startsWith('image/') ? { images: [delta.data] } : createTextPiece(delta.transcript ?? '')
    if (delta.kind !== 'text') return null
    if (this.#of?.kind === 'thinking') return delta.text === '' ? null : { thinking: delta.text }
    if (this.#of?.kind !== 'tool-call') return createTextPiece(delta.text)
    this.#arguments += delta.text
    return null
  }

  /** A call comes whole. Arguments that are broken stay readable, in the one place that an object leaves for them. */
  #endBlock(): AnswerPiece | null {
    const of = this.#of
    this.#of = null
    if (of?.kind !== 'tool-call') return null
    const text = this.#arguments
    const args = text.trim() === '' ? {} : (nestedObject(text) ?? { input: text })
    const call = { id: of.id, function: { index: this.#calls, name: of.name, arguments: args } }
    this.#calls += 1
    return { tool_calls: [call] }
  }
}

const createTextPiece = (content: string): AnswerPiece | null => (content === '' ? null : { content })

/** In which Ollama reports how long something took. */
export const nanoseconds = (milliseconds: number): number => Math.max(0, Math.round(milliseconds * 1_000_000))
