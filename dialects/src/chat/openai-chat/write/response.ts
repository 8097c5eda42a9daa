import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent, ChoiceEnd } from '../../../core/neutral/events'
import { openAiError } from '../../../core/shared/errors'
import { usageBody } from '../../../core/shared/usage'
import { type Piece, WholeChoice } from './whole-choice'
import type { ErrorView } from '../../../core/views'
import type { Usage } from '../../../core/usage'
import { blockWriter, type BlockWriter, type ChoiceState } from './block-deltas'
import { freeTextNames } from '../../../core/shared/free-text'
import { writeFinishReason } from '../finish-reasons'
import { writeLogProbabilities } from '../log-probabilities'

/** A stream of chunks. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new PieceWriter(answering)
  const startedChoices = new Set<number>()
  let isDone = false
  /** Where usage is wanted, the chunks before the one that tells it say that they have none. */
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null = null): JsonObject => ({
    id: writer.id,
    object: 'chat.completion.chunk',
    created: writer.createdAt,
    model: answering.model,
    choices,
    ...(answering.includeUsage && { usage }),
  })
  /** The first piece of a choice says who speaks. */
  const addPiece = (chunks: JsonObject[], { choice, delta, logprobs, finish }: Piece): void => {
    if (!startedChoices.has(choice)) chunks.push(chunk([choiceOf(choice, { role: 'assistant', content: '' })]))
    startedChoices.add(choice)
    chunks.push(chunk([choiceOf(choice, delta, finish, logprobs)]))
  }
  return {
    write(events) {
      const chunks: JsonObject[] = []
      for (const event of events) {
        if (isDone) break
        for (const piece of writer.take(event)) addPiece(chunks, piece)
        if (writer.error) chunks.push(openAiError(writer.error))
        if (writer.isOver) {
          if (answering.includeUsage && writer.usage) chunks.push(chunk([], usageBody(writer.usage)))
          chunks.push(endMark)
        }
        isDone = writer.error !== null || writer.isOver
      }
      return chunks
    },
  }
}

/** Stands for the event that ends a stream, which holds no object. */
const endMark: JsonObject = {}

export const eventText = (chunk: JsonObject): string =>
  chunk === endMark ? 'data: [DONE]\n\n' : `data: ${JSON.stringify(chunk)}\n\n`

const choiceOf = (index: number, delta: JsonObject, finish?: string, logprobs?: JsonObject): JsonObject => ({
  index,
  delta,
  logprobs: logprobs ?? null,
  finish_reason: finish ?? null,
})

/** A whole chat: what its stream adds up to. After a failure, the error. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new PieceWriter(answering)
  const choices = new Map<number, WholeChoice>()
  for (const event of events) {
    for (const piece of writer.take(event)) {
      const choice = choices.get(piece.choice) ?? new WholeChoice()
      choices.set(piece.choice, choice)
      choice.add(piece)
    }
  }
  if (writer.error) return openAiError(writer.error)
  const { id, createdAt, usage } = writer
  return {
    id,
    object: 'chat.completion',
    created: createdAt,
    model: answering.model,
    choices: [...choices]
      .sort(([one], [other]) => one - other)
      .map(([index, choice]) => choice.value(index, createdAt)),
    ...(usage && { usage: usageBody(usage) }),
  }
}

interface Choice {
  writer: BlockWriter | null
  readonly state: ChoiceState
}

/** What an answer says, in pieces, and what comes with them. */
class PieceWriter {
  createdAt: number
  usage: Usage | null = null
  error: ErrorView | null = null
  isOver = false
  readonly #choices = new Map<number, Choice>()
  readonly #free: ReadonlySet<string>
  #id = ''

  constructor(private readonly answering: Answering) {
    this.createdAt = answering.now
    this.#free = freeTextNames(answering.call.tools)
  }

  get id(): string {
    return (this.#id ||= this.answering.newId('chatcmpl-'))
  }

  take(event: AnswerEvent): Piece[] {
    if (this.error !== null || this.isOver) return []
    switch (event.type) {
      case 'left-out':
        return []
      case 'answer-start':
        if (event.isConversation) this.#id = `chatcmpl-${event.id}`
        else if (event.id.startsWith('chatcmpl-')) this.#id = event.id
        if (event.createdAt > 0) this.createdAt = event.createdAt
        return []
      case 'usage':
        this.usage = event.usage
        return []
      case 'failure':
        this.error = event.error
        return []
      case 'answer-end':
        this.isOver = true
        return []
      case 'choice-end':
        return this.#end(event)
      case 'log-probabilities':
        return [{ choice: event.choice, delta: {}, logprobs: writeLogProbabilities(event.tokens) }]
      default:
        return this.#block(event)
    }
  }

  #block(event: Extract<AnswerEvent, { type: 'block-start' | 'block-delta' | 'block-end' }>): Piece[] {
    const index = event.choice
    const choice = this.#choiceAt(index)
    if (event.type === 'block-start') {
      const last = pieces(index, choice.writer?.end())
      choice.writer = blockWriter(event.of, event.block, choice.state)
      return last
    }
    if (event.type === 'block-delta') return pieces(index, choice.writer?.take(event.delta))
    const last = pieces(index, choice.writer?.end())
    choice.writer = null
    return last
  }

  #end({ choice, reason }: ChoiceEnd): Piece[] {
    const { state } = this.#choiceAt(choice)
    return [{ choice, delta: {}, finish: writeFinishReason(reason, state.calls > 0) }]
  }

  #choiceAt(index: number): Choice {
    const known = this.#choices.get(index) ?? {
      writer: null,
      state: { calls: 0, length: 0, free: this.#free, newId: this.answering.newId },
    }
    this.#choices.set(index, known)
    return known
  }
}

const pieces = (choice: number, delta: JsonObject | null | undefined): Piece[] => (delta ? [{ choice, delta }] : [])
