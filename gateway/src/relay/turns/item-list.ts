import { DialectError, textOf, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { maxIdLength } from '../tasks/task-call'

/** An item with the id by which clients name it. */
interface ListedItem {
  readonly id: string
  readonly item: JsonObject
}

const usualLimit = 20
const maxLimit = 100

/**
 * Returns a page of items, which come in the order in which they were said.
 * https://platform.openai.com/docs/api-reference/responses/input-items
 * @throws DialectError; AppError `conversation.item_none` for a cursor that names none of them.
 */
export function itemList(items: readonly ListedItem[], query: string): JsonObject {
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get('limit') ?? usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw invalid('limit', `expected a number from 1 to ${maxLimit}`)
  const order = parameters.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalid('order', 'expected asc or desc')
  const ordered = order === 'asc' ? items : items.toReversed()
  const [after, before] = [indexOfItem('after', -1), indexOfItem('before', ordered.length)]
  const found = ordered.slice(after + 1, before)
  // A page before an item ends with it.
  const page = parameters.has('before') && !parameters.has('after') ? found.slice(-limit) : found.slice(0, limit)
  return {
    object: 'list',
    data: page.map(shownItem),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: page.length < found.length,
  }

  function indexOfItem(name: string, otherwise: number): number {
    const id = parameters.get(name)
    if (id === null || id === '') return otherwise
    const place = ordered.findIndex((one) => one.id === id)
    if (place < 0) throw new AppError('conversation.item_none', { params: { id: id.slice(0, maxIdLength) } })
    return place
  }
}

const invalid = (param: string, expected: string): DialectError =>
  new DialectError(param, 'invalid_value', `Invalid '${param}': ${expected}.`)

/** Returns an item as OpenAI shows it: with an id and a type, and of a message with parts for its text. */
export function shownItem({ id, item }: ListedItem): JsonObject {
  if (item['role'] === undefined) return { ...item, id }
  const { content } = item
  const kind = item['role'] === 'assistant' ? 'output_text' : 'input_text'
  const parts = typeof content === 'string' ? [{ type: kind, text: content }] : content
  return { status: 'completed', ...item, id, type: textOf(item['type']) || 'message', content: parts }
}
