import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { openAiError } from '../../../core/shared/errors'
import { usageBody } from '../../../core/shared/usage'
import { PieceWriter, type Piece } from './chunks'
import { WholeChoice } from './whole-choice'

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
