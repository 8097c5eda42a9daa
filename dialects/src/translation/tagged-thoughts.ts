import type { AnswerEvent, BlockDelta, BlockKind } from '../core/neutral/events'
import type { EventChange } from './event-change'

const open = '<think>'
const close = '</think>'

/** What is known of a choice's first text. */
interface Conversation {
  /** `begins`: it is not known yet whether it begins with a tag. */
  state: 'begins' | 'thinks' | 'says'
  /** Text that may be part of a tag. */
  held: string
  readonly block: number
  /** Blanks behind a tag belong neither to the thought nor to the answer. */
  isTrimmed: boolean
  /** By how much later blocks of the choice move. */
  shift: number
}

/** Text between `<think>` and `</think>` at the beginning of an answer becomes a thought, wherever the pieces are cut. */
export class TaggedThoughts implements EventChange {
  readonly #talks = new Map<number, Conversation>()

  event(event: AnswerEvent): readonly AnswerEvent[] {
    if (event.type !== 'block-start' && event.type !== 'block-delta' && event.type !== 'block-end') return [event]
    const talk = this.#talks.get(event.choice)
    if (event.type === 'block-start' && !talk) return this.#begin(event)
    if (!talk || event.block !== talk.block) return [{ ...event, block: event.block + (talk?.shift ?? 0) }]
    if (event.type === 'block-end') return this.#end(event.choice, talk)
    if (event.type === 'block-delta' && event.delta.kind === 'text')
      return this.#say(event.choice, talk, event.delta.text)
    return [{ ...event, block: event.block + talk.shift }]
  }

  /** Only what an answer begins with may be tagged. */
  #begin(event: Extract<AnswerEvent, { type: 'block-start' }>): AnswerEvent[] {
    const isText = event.of.kind === 'text'
    const state = isText ? 'begins' : 'says'
    this.#talks.set(event.choice, { state, held: '', isTrimmed: false, block: isText ? event.block : -1, shift: 0 })
    return isText ? [] : [event]
  }

  #say(choice: number, talk: Conversation, text: string): AnswerEvent[] {
    talk.held += text
    if (talk.state === 'begins') return this.#decide(choice, talk)
    return talk.state === 'thinks' ? this.#think(choice, talk) : this.#flush(choice, talk)
  }

  #decide(choice: number, talk: Conversation): AnswerEvent[] {
    const said = talk.held.trimStart()
    if (said.length < open.length && open.startsWith(said)) return []
    if (!said.startsWith(open)) {
      talk.state = 'says'
      return [started(choice, talk.block, { kind: 'text' }), ...this.#flush(choice, talk)]
    }
    talk.state = 'thinks'
    talk.held = said.slice(open.length)
    talk.isTrimmed = true
    return [started(choice, talk.block, { kind: 'thinking' }), ...this.#think(choice, talk)]
  }

  #think(choice: number, talk: Conversation): AnswerEvent[] {
    // The line's end behind the tag belongs to it.
    if (talk.isTrimmed && talk.held !== '') {
      talk.held = talk.held.replace(/^\n/, '')
      talk.isTrimmed = false
    }
    const end = talk.held.indexOf(close)
    if (end < 0) {
      const kept = tagAtEnd(talk.held)
      const now = talk.held.slice(0, talk.held.length - kept)
      talk.held = talk.held.slice(now.length)
      return more(choice, talk.block, now)
    }
    const thought = talk.held.slice(0, end).replace(/\n$/, '')
    talk.held = talk.held.slice(end + close.length)
    talk.isTrimmed = true
    talk.state = 'says'
    const reported = more(choice, talk.block, thought)
    talk.shift = 1
    return [
      ...reported,
      { type: 'block-end', choice, block: talk.block },
      started(choice, talk.block + 1, { kind: 'text' }),
      ...this.#flush(choice, talk),
    ]
  }

  #flush(choice: number, talk: Conversation): AnswerEvent[] {
    const text = talk.isTrimmed ? talk.held.trimStart() : talk.held
    talk.held = ''
    if (text !== '') talk.isTrimmed = false
    return more(choice, talk.block + talk.shift, text)
  }

  #end(choice: number, talk: Conversation): AnswerEvent[] {
    const begun = talk.state === 'begins' ? [started(choice, talk.block, { kind: 'text' })] : []
    const rest = this.#flush(choice, talk)
    return [...begun, ...rest, { type: 'block-end', choice, block: talk.block + talk.shift }]
  }
}

const started = (choice: number, block: number, of: BlockKind): AnswerEvent => ({
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
