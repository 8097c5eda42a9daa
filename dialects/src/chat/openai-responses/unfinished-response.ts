import type { JsonObject } from '../../core/json'
import { objectOf as membersOf } from '../../core/neutral/read'
import { objectOf } from '../../core/shared/chunk-data'
import type { Usage } from '../../core/usage'
import { usageBody } from './usage'

/** A response that repeats more than that of its request is not kept. */
const maxBeginningLength = 64 * 1024

/** Items with pictures are longer; the end of the stream repeats them. */
const maxEndedLength = 4 * 1024 * 1024

interface OpenItem {
  readonly item: JsonObject
  readonly output_index: unknown
  /** How much text there was before it. */
  readonly textFrom: number
  /** The part of it that is open. */
  content_index?: unknown
}

/** What of a stream of a response is open, so that it can be ended before its upstream ends it. */
export class UnfinishedResponse {
  #beginning = ''
  #open: OpenItem | null = null
  readonly #ended: string[] = []
  #endedLength = 0

  /** `keepsItems`: the items that ended are asked for at the end. */
  constructor(private readonly keepsItems: boolean) {}

  /** Where the text of the open item begins. */
  get textFrom(): number {
    return this.#open?.textFrom ?? 0
  }

  began(event: string): void {
    if (event.length <= maxBeginningLength) this.#beginning = event
  }

  /** Returns the response as it began. */
  initialResponse(): JsonObject {
    return membersOf(membersOf(objectOf(this.#beginning))['response'])
  }

  itemBegan({ item, output_index }: JsonObject, textFrom: number): void {
    this.#open = { item: membersOf(item), output_index, textFrom }
  }

  partBegan(event: string): void {
    if (this.#open) this.#open.content_index = objectOf(event)?.['content_index']
  }

  itemEnded(event: string): void {
    this.#open = null
    if (!this.keepsItems) return
    this.#endedLength += event.length
    if (this.#endedLength > maxEndedLength) this.#ended.length = 0
    else this.#ended.push(event)
  }

  /** Returns the items that were told whole; null where they are too long to be kept, or not kept at all. */
  endedItems(): readonly JsonObject[] | null {
    if (!this.keepsItems || this.#endedLength > maxEndedLength) return null
    return this.#ended.map((event) => membersOf(membersOf(objectOf(event))['item']))
  }

  /** Returns the response as it ends at the limit of its output, and the events that end its open item. */
  endingOf(
    text: string,
    usage: Usage | null,
  ): { readonly response: JsonObject; readonly items: readonly JsonObject[] } {
    const items = this.#endingOfItem(text)
    const response = {
      object: 'response',
      ...this.initialResponse(),
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [
        ...(this.endedItems() ?? []),
        ...items.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : [])),
      ],
      usage: usage && usageBody(usage),
    }
    return { response, items }
  }

  #endingOfItem(text: string): JsonObject[] {
    if (this.#open === null) return []
    const { item, output_index, content_index } = this.#open
    const place = { item_id: item['id'], output_index }
    const createItemDone = (fields: JsonObject) => ({
      type: 'response.output_item.done',
      output_index,
      item: { ...item, ...fields, status: 'incomplete' },
    })
    if (item['type'] === 'function_call') {
      const ended = { type: 'response.function_call_arguments.done', ...place, arguments: text }
      return [ended, createItemDone({ arguments: text })]
    }
    if (item['type'] !== 'message' || content_index === undefined) return [createItemDone({})]
    const part = { type: 'output_text', text, annotations: [] }
    return [
      { type: 'response.output_text.done', ...place, content_index, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, content_index, part },
      createItemDone({ content: [part] }),
    ]
  }
}
