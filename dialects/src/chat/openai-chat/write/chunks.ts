import type { ErrorView } from '../../../core/views'
import type { JsonObject } from '../../../core/json'
import type { Answering } from '../../../core/neutral/codec'
import type { AnswerEvent, ChoiceEnd } from '../../../core/neutral/events'
import type { Usage } from '../../../core/usage'
import { blockWriter, type BlockWriter, type ChoiceState } from './block-deltas'
import { freeTextNames } from '../../../core/shared/free-text'
import { writeFinishReason } from '../finish-reasons'
import { writeLogProbabilities } from '../log-probabilities'

/** A piece of one choice. */
export interface Piece {
  readonly choice: number
  readonly delta: JsonObject
  readonly logprobs?: JsonObject
  readonly finish?: string
}

interface Choice {
  writer: BlockWriter | null
  readonly state: ChoiceState
}

/** What an answer says, in pieces, and what comes with them. */
export class PieceWriter {
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
