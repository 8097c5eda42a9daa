import type { JsonObject } from '../../../core/json'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { textOf } from '../../../core/neutral/read'
import { createItemAdded, createItemDone, type IdOf, type ItemWriter } from './item'

/** An item that the vendor itself made, as it came. */
export class OwnWriter implements ItemWriter {
  readonly id: string
  readonly item: JsonObject

  constructor(value: JsonObject, idOf: IdOf) {
    this.id = idOf('item_', textOf(value['id']), '')
    this.item = { ...value, id: this.id }
  }

  start(_of: BlockKind): boolean {
    return false
  }

  take(): JsonObject[] {
    return []
  }

  endBlock(): JsonObject[] {
    return []
  }

  end(): JsonObject[] {
    return [createItemAdded(this.item), createItemDone(this.item)]
  }
}

/** A picture, as the vendor's own tool would have made it. */
export class ImageWriter implements ItemWriter {
  #data = ''
  #format = 'png'

  constructor(readonly id: string) {}

  get item(): JsonObject | null {
    if (this.#data === '') return null
    return {
      id: this.id,
      type: 'image_generation_call',
      status: 'completed',
      output_format: this.#format,
      result: this.#data,
    }
  }

  start(_of: BlockKind): boolean {
    return false
  }

  take(delta: Delta): JsonObject[] {
    if (delta.kind !== 'media') return []
    this.#data += delta.data
    this.#format = delta.mime.replace('image/', '')
    return []
  }

  endBlock(): JsonObject[] {
    return []
  }

  end(): JsonObject[] {
    if (this.item === null) return []
    return [
      createItemAdded({ id: this.id, type: 'image_generation_call', status: 'in_progress', result: null }),
      { type: 'response.image_generation_call.in_progress' },
      { type: 'response.image_generation_call.generating' },
      { type: 'response.image_generation_call.completed' },
      createItemDone(this.item),
    ]
  }
}
