import type { AnswerEvent, BlockDelta, BlockKind } from '../core/neutral/events'

const open = '<think>'
const close = '</think>'

/** What is known of a choice's first text. */
interface Conversation {
  /** `begins`: it is not known yet whether it begins with a tag. */
  state: 'begins' | 'thinks' | 'says'
  /** Text that may be part of a tag. */
  held: string
  /** Blanks before it, of which there may be many pieces. */
  readonly blanks: string[]
  readonly block: number
  /** Blanks behind a tag belong neither to the thought nor to the answer. */
  isTrimmed: boolean
  /** By how much later blocks of the choice move. */
  shift: number
}

/** Text between `<think>` and `</think>` at the beginning of an answer becomes a thought, wherever the pieces are cut. */
export class TaggedThoughts implements EventChange {
  readonly #conversations = new Map<number, Conversation>()

  event(event: AnswerEvent): readonly AnswerEvent[] {
    if (event.type !== 'block-start' && event.type !== 'block-delta' && event.type !== 'block-end') return [event]
    const conversation = this.#conversations.get(event.choice)
    if (event.type === 'block-start' && !conversation) return this.#begin(event)
    if (!conversation || event.block !== conversation.block)
      return [{ ...event, block: event.block + (conversation?.shift ?? 0) }]
    if (event.type === 'block-end') return this.#end(event.choice, conversation)
    if (event.type === 'block-delta' && event.delta.kind === 'text')
      return this.#addText(event.choice, conversation, event.delta.text)
    return [{ ...event, block: event.block + conversation.shift }]
  }

  /** Only what an answer begins with may be tagged. */
  #begin(event: Extract<AnswerEvent, { type: 'block-start' }>): AnswerEvent[] {
    const isText = event.of.kind === 'text'
    const state = isText ? 'begins' : 'says'
    this.#conversations.set(event.choice, {
      state,
      held: '',
      blanks: [],
      isTrimmed: false,
      block: isText ? event.block : -1,
      shift: 0,
    })
    return isText ? [] : [event]
  }

  #addText(choice: number, conversation: Conversation, text: string): AnswerEvent[] {
    conversation.held += text
    if (conversation.state === 'begins') return this.#decide(choice, conversation)
    return conversation.state === 'thinks' ? this.#think(choice, conversation) : this.#flush(choice, conversation)
  }

  #decide(choice: number, conversation: Conversation): AnswerEvent[] {
    const text = conversation.held.trimStart()
    if (text === '') return this.#keepBlanks(conversation)
    if (text.length < open.length && open.startsWith(text)) return []
    if (!text.startsWith(open)) {
      conversation.state = 'says'
      conversation.held = conversation.blanks.join('') + conversation.held
      return [startBlock(choice, conversation.block, { kind: 'text' }), ...this.#flush(choice, conversation)]
    }
    conversation.state = 'thinks'
    conversation.held = text.slice(open.length)
    conversation.isTrimmed = true
    return [startBlock(choice, conversation.block, { kind: 'thinking' }), ...this.#think(choice, conversation)]
  }

  #keepBlanks(conversation: Conversation): AnswerEvent[] {
    conversation.blanks.push(conversation.held)
    conversation.held = ''
    return []
  }

  #think(choice: number, conversation: Conversation): AnswerEvent[] {
    // The line's end behind the tag belongs to it.
    if (conversation.isTrimmed && conversation.held !== '') {
      conversation.held = conversation.held.replace(/^\n/, '')
      conversation.isTrimmed = false
    }
    const end = conversation.held.indexOf(close)
    if (end < 0) {
      const tagLength = tagAtEnd(conversation.held)
      const now = conversation.held.slice(0, conversation.held.length - tagLength)
      conversation.held = conversation.held.slice(now.length)
      return more(choice, conversation.block, now)
    }
    const thought = conversation.held.slice(0, end).replace(/\n$/, '')
    conversation.held = conversation.held.slice(end + close.length)
    conversation.isTrimmed = true
    conversation.state = 'says'
    const reported = more(choice, conversation.block, thought)
    conversation.shift = 1
    return [
      ...reported,
      { type: 'block-end', choice, block: conversation.block },
      startBlock(choice, conversation.block + 1, { kind: 'text' }),
      ...this.#flush(choice, conversation),
    ]
  }

  #flush(choice: number, conversation: Conversation): AnswerEvent[] {
    const text = conversation.isTrimmed ? conversation.held.trimStart() : conversation.held
    conversation.held = ''
    if (text !== '') conversation.isTrimmed = false
    return more(choice, conversation.block + conversation.shift, text)
  }

  #end(choice: number, conversation: Conversation): AnswerEvent[] {
    const isUndecided = conversation.state === 'begins'
    if (isUndecided) conversation.held = conversation.blanks.join('') + conversation.held
    const startEvents = isUndecided ? [startBlock(choice, conversation.block, { kind: 'text' })] : []
    const rest = this.#flush(choice, conversation)
    return [...startEvents, ...rest, { type: 'block-end', choice, block: conversation.block + conversation.shift }]
  }
}

const startBlock = (choice: number, block: number, of: BlockKind): AnswerEvent => ({
  type: 'block-start',
  choice,
  block,
  of,
})

const more = (choice: number, block: number, text: string): BlockDelta[] =>
  text === '' ? [] : [{ type: 'block-delta', choice, block, delta: { kind: 'text', text } }]

/** How many characters at the end may begin the closing tag, with the line's end that belongs to it. */
function tagAtEnd(text: string): number {
  const tag = `\n${close}`
  for (let length = Math.min(tag.length, text.length); length > 0; length -= 1) {
    const end = text.slice(-length)
    if (tag.startsWith(end) || close.startsWith(end)) return length
  }
  return 0
}

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
