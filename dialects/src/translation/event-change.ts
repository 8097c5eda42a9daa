import type { AnswerEvent } from '../core/neutral/events'

/** A change of an answer that is the same in all dialects. Has a state, so each answer needs its own. */
export interface EventChange {
  /** The events that take the place of this one. */
  event(event: AnswerEvent): readonly AnswerEvent[]
}

/** Thoughts become text between `<think>` and `</think>`, for clients that show nothing else. Thoughts without words vanish. */
export class ThoughtsAsText implements EventChange {
  /** The begun thoughts, and whether they said something. */
  readonly #thoughts = new Map<string, { hasText: boolean }>()

  event(event: AnswerEvent): readonly AnswerEvent[] {
    if (event.type === 'block-start') return this.#start(event)
    if (event.type !== 'block-delta' && event.type !== 'block-end') return [event]
    const { choice, block } = event
    const thought = this.#thoughts.get(`${choice}.${block}`)
    if (!thought) return [event]
    const createTextEvent = (text: string): AnswerEvent => ({
      type: 'block-delta',
      choice,
      block,
      delta: { kind: 'text', text },
    })
    if (event.type === 'block-end') return thought.hasText ? [createTextEvent('\n</think>\n'), event] : [event]
    if (event.delta.kind !== 'text' || event.delta.text === '') return []
    const isFirst = !thought.hasText
    thought.hasText = true
    return isFirst ? [createTextEvent('<think>\n'), event] : [event]
  }

  #start(event: Extract<AnswerEvent, { type: 'block-start' }>): readonly AnswerEvent[] {
    if (event.of.kind !== 'thinking' && event.of.kind !== 'redacted-thinking') return [event]
    this.#thoughts.set(`${event.choice}.${event.block}`, { hasText: false })
    return [{ ...event, of: { kind: 'text' } }]
  }
}
