import type { JsonObject } from '../../../core/json'
import type { BlockKind, Delta } from '../../../core/neutral/events'

/** Writes one item of the output, its events without their places. */
export interface ItemWriter {
  readonly id: string
  /** Takes a block; false when it belongs into another item. */
  start(of: BlockKind): boolean
  take(delta: Delta): readonly JsonObject[]
  /** The block ended. */
  endBlock(): readonly JsonObject[]
  /** The item ended; `isCut`: the answer broke off in it. The events are empty when nothing was said. */
  end(isCut: boolean): readonly JsonObject[]
  /** As it is now; null before it was begun. */
  readonly item: JsonObject | null
}

/** Makes an id that nothing else in the answer has: the vendor's where it begins as it should, with the prefix unless said. */
export type IdOf = (prefix: string, known?: string, beginning?: string) => string

export const createItemAdded = (item: JsonObject): JsonObject => ({ type: 'response.output_item.added', item })
export const createItemDone = (item: JsonObject): JsonObject => ({ type: 'response.output_item.done', item })
