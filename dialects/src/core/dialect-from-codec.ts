import type { Dialect, StreamTap } from './dialect'
import type { AnswerView, ErrorView, PromptShape } from './views'
import type { JsonObject } from './json'
import type { DialectId } from './mode'
import type { UpstreamEmbeddingCodec } from './neutral/embedding'
import { imageDetails, type UpstreamImageCodec } from './neutral/image'
import type { EventReader, UpstreamCodec } from './neutral/codec'
import type { AnswerEvent } from './neutral/events'
import { errorIn, openAiError, openAiErrorEvent, readUpstreamError } from './shared/errors'
import { readModel, wholeView } from './shared/fields'
import { inputPrompt } from './shared/prompt'
import { serverEvent, SseFrames } from './streaming/sse-frames'
import { joinedAnswers, readImages } from './shared/joined-responses'
import { failureIn } from './shared/reported-failure'
import { Accumulator } from './streaming/accumulator'
import { noUsage, type ReportedUsage } from './usage'
import { chunkTap } from './shared/observe'

/** Whether a whole answer holds what its dialect answers with, be it empty. */
type IsAnswer = (answer: JsonObject) => boolean

/** A dialect of chats as upstreams speak it: what is known of its answers comes from its codec. */
export const chatDialect = (id: DialectId, codec: UpstreamCodec, isAnswer: IsAnswer): Dialect => ({
  ...upstreamOnly(id, () => inputPrompt({})),
  codec: { kind: 'chat', upstream: codec },
  readAnswer: answerReader(codec, isAnswer),
  createTap: () => new HearingTap(codec.createReader()),
})

/** Reads whole answers of a chat by means of a codec. */
export const answerReader =
  ({ readAnswer }: Pick<UpstreamCodec, 'readAnswer'>, isAnswer: IsAnswer) =>
  (answer: JsonObject): AnswerView => {
    const view = createView(readAnswer(answer))
    return { ...view, error: view.error ?? failureIn(answer, isAnswer(answer)) }
  }

/** The same for embeddings. */
export const embeddingDialect = (
  id: DialectId,
  codec: UpstreamEmbeddingCodec,
  readPrompt: (body: JsonObject) => PromptShape,
  isAnswer: IsAnswer,
): Dialect => ({
  ...upstreamOnly(id, readPrompt),
  codec: { kind: 'embeddings', upstream: codec },
  readAnswer: (answer) => textless(answer, codec, isAnswer),
  createTap: () => new HearingTap({ read: () => [], end: () => [] }),
})

/** The same for images, whose responses are always whole. */
export const imageDialect = (
  id: DialectId,
  codec: UpstreamImageCodec,
  readPrompt: (body: JsonObject) => PromptShape = (body) => inputPrompt(body, 'prompt'),
): Dialect => ({
  ...upstreamOnly(id, readPrompt),
  codec: { kind: 'images', upstream: codec },
  readAnswer: (answer) => imageView(answer, codec),
  createTap: () => new HearingTap({ read: () => [], end: () => [] }),
  joinAnswers: joinedAnswers,
  isBulky: true,
})

export function imageView(answer: JsonObject, codec: UpstreamImageCodec): AnswerView {
  const { images, usage, size, quality, refusal } = readImages(codec, answer)
  const { length: count } = images
  const used: ReportedUsage = usage ?? { ...noUsage, unreported: 'all' }
  return {
    usage: { ...used, details: { ...used.details, ...imageDetails({ size, quality }, count) } },
    error: errorIn(answer) ?? (count === 0 && refusal !== null ? withheld(refusal) : failureIn(answer, count > 0)),
    toolCalls: 0,
    isEmpty: count === 0,
    completionText: () => '',
  }
}

/** The vendor drew nothing, or filtered what it drew: another channel would do the same. */
const withheld = (message: string): ErrorView => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  code: 'content_filter',
  param: null,
})

/** No client speaks it, so its errors have OpenAI's form. */
const upstreamOnly = (id: DialectId, readPrompt: (body: JsonObject) => PromptShape) => ({
  id,
  readRequest: (body: JsonObject, { model }: { readonly model: string }) =>
    wholeView(readModel(body, model || undefined)),
  readPrompt,
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
})

function createView(events: readonly AnswerEvent[]): AnswerView {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  const { usage, error, toolCalls, isEmpty } = accumulator
  return {
    usage,
    error,
    toolCalls,
    isEmpty,
    completionText: () => accumulator.completionText(),
    images: () => accumulator.images(),
  }
}

const textless = (answer: JsonObject, codec: UpstreamEmbeddingCodec, isAnswer: IsAnswer): AnswerView => ({
  usage: codec.readAnswer(answer).usage,
  error: errorIn(answer) ?? failureIn(answer, isAnswer(answer)),
  toolCalls: 0,
  isEmpty: false,
  completionText: () => '',
})

const noBytes = new Uint8Array(0)
const decoder = new TextDecoder()

/** Hears what a stream says and hands it on as it came. */
class HearingTap extends Accumulator implements StreamTap {
  events = 0
  isDone = false
  readonly counter = null
  readonly #frames = new SseFrames()
  readonly #reader: EventReader

  constructor(reader: EventReader) {
    super()
    this.#reader = reader
  }

  push(chunk: Uint8Array): Uint8Array {
    const read = this.#frames.push(chunk)
    let start = read?.start ?? 0
    for (const end of read?.ends ?? []) {
      this.#read(read?.bytes.subarray(start, end))
      start = end
    }
    return chunk
  }

  end(): void {
    this.#read(this.#frames.rest())
    for (const event of this.#reader.end()) this.#take(event)
  }

  /** Only upstreams speak these dialects, so nothing of it is told to a client. */
  cut(): void {}

  finish(): Uint8Array {
    return noBytes
  }

  #read(bytes: Uint8Array = noBytes): void {
    const event = serverEvent(decoder.decode(bytes))
    if (event === null) return
    this.events += 1
    for (const part of this.#reader.read(event)) this.#take(part)
  }

  #take(event: AnswerEvent): void {
    this.add(event)
    if (event.type === 'answer-end') this.isDone = true
  }
}

const textlessChunks = { object: 'list', empty: {}, collect: () => false }

/** A dialect whose answers say nothing in words and whose errors are OpenAI's. */
export const textlessDialect = (
  own: Pick<Dialect, 'id' | 'names' | 'readRequest' | 'readPrompt' | 'readAnswer'>,
): Dialect => ({
  ...own,
  createTap: (options) => chunkTap(textlessChunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
})
