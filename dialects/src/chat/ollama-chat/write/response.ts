import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { ollamaError } from '../errors'
import { PieceWriter, type AnswerPiece, type PieceForm } from './lines'

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
