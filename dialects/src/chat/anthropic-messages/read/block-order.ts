import { isObject, type JsonObject } from '../../../core/json'
import { objectOf, textOf } from '../../../core/neutral/read'
import { joinsText } from '../../../core/shared/joined-text'
import { ObjectEnd } from '../../../core/shared/object-end'

/** Blocks that wait for a call, and events of one of them: far more than a model makes. Those beyond are left out. */
const maxWaiting = 4096

/** The open block, while its input is not whole. */
interface OpenInput {
  readonly position: unknown
  readonly end: ObjectEnd
}

/** The events of a block that began while the one before it was open. */
interface WaitingBlock {
  readonly position: unknown
  readonly events: JsonObject[]
}

/**
 * Puts the events of blocks that followers of the dialect tell alternately one block after the other. Only the blocks behind a call wait,
 * and only until its input is whole: what else is left open is told on by the block that comes next.
 */
export class BlockOrder {
  #input: OpenInput | null = null
  readonly #waiting = new Set<WaitingBlock>()
  /** The latest waiting block at each place. */
  readonly #waitingAt = new Map<unknown, WaitingBlock>()

  /** Takes an event of a block and returns those that are to be read now. */
  take(event: JsonObject): JsonObject[] {
    const isStart = event['type'] === 'content_block_start'
    if (this.#input?.position === event['index'] && isStart) {
      // Its end was left out.
      this.#input = null
      return [...this.#release(false), ...this.#takeInTurn(event)]
    }
    return this.#takeInTurn(event)
  }

  /** Returns what waits, as nothing more is to come. */
  rest(): JsonObject[] {
    return this.#release(true)
  }

  #takeInTurn(event: JsonObject): JsonObject[] {
    const index = event['index']
    const isOfInput = this.#input?.position === index && !isUnannounced(event)
    if (this.#input === null || isOfInput) return [this.#pass(event), ...this.#release(false)]
    const isStart = event['type'] === 'content_block_start'
    const known = isStart ? undefined : this.#waitingAt.get(index)
    if (known) addTo(known.events, event)
    // Words at the place of the input have a block of their own.
    else if (isStart || isUnannounced(event)) this.#wait({ position: index, events: [event] })
    return []
  }

  #wait(block: WaitingBlock): void {
    if (this.#waiting.size >= maxWaiting) return
    this.#waiting.add(block)
    this.#waitingAt.set(block.position, block)
  }

  #pass(event: JsonObject): JsonObject {
    const { type, index: position } = event
    if (type === 'content_block_start') {
      const { input } = objectOf(event['content_block'])
      // A start may carry the whole input already.
      const isAwaited = input === '' || (isObject(input) && Object.keys(input).length === 0)
      this.#input = isAwaited ? { position, end: new ObjectEnd() } : null
    } else if (type === 'content_block_stop') this.#input = null
    else this.#input?.end.take(textOf(objectOf(event['delta'])['partial_json']))
    if (this.#input?.end.isReached) this.#input = null
    return event
  }

  #release(isLast: boolean): JsonObject[] {
    const events: JsonObject[] = []
    for (const block of this.#waiting) {
      if (this.#input !== null && !isLast) break
      this.#waiting.delete(block)
      if (this.#waitingAt.get(block.position) === block) this.#waitingAt.delete(block.position)
      for (const event of block.events) events.push(this.#pass(event))
    }
    return events
  }
}

function addTo(events: JsonObject[], event: JsonObject): void {
  const last = objectOf(events.at(-1)?.['delta'])
  const delta = objectOf(event['delta'])
  if (['partial_json', 'text', 'thinking'].some((member) => joinsText(last, delta, member))) return
  if (events.length < maxWaiting) events.push(event)
}

/** Text whose block has no start, or was closed. */
const isUnannounced = (event: JsonObject): boolean => {
  const { type } = objectOf(event['delta'])
  return type === 'text_delta' || type === 'thinking_delta'
}
