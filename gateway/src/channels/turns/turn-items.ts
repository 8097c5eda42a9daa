import { outputItems, textOf, type JsonObject } from '@tollgate/dialects'

import type { Queries } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import type { TurnRow } from './turn-rows'
import type { StoredItem, Turn } from './turns'

/** More than a response has items. */
const maxItems = 256

/** Returns the hashes of the ids by which later requests may name items of a response. */
export const itemHashes = (response: JsonObject): readonly string[] =>
  outputItems(response)
    .slice(0, maxItems)
    .flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [sha256(id)] : []))

/** Returns the items of a turn that have one of these ids. */
export const itemsNamed = (
  { response, origin }: Turn,
  ids: ReadonlySet<string>,
): readonly (readonly [string, StoredItem])[] =>
  outputItems(response).flatMap((item) => {
    const id = textOf(item['id'])
    return ids.has(id) ? [[id, { item, origin }] as const] : []
  })

/** Which items a turn has. */
export interface ItemsOfTurn extends Pick<TurnRow, 'id_hash' | 'user_id'> {
  readonly items: readonly string[]
}

/** SQLite takes 32,766 values in a statement. */
const rowsAtOnce = 2000

/** Records which turns have which items; of several turns the latest. */
export async function writeItems(query: Queries, turns: readonly ItemsOfTurn[]): Promise<void> {
  const rows = new Map(
    turns.flatMap(({ id_hash: turn, user_id: userId, items }) =>
      items.map((item) => [`${userId}:${item}`, { item_hash: item, user_id: userId, turn_hash: turn }] as const),
    ),
  )
  const all = [...rows.values()]
  for (let start = 0; start < all.length; start += rowsAtOnce)
    await query
      .insertInto('response_turn_items')
      .values(all.slice(start, start + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['item_hash', 'user_id']).doUpdateSet((eb) => ({ turn_hash: eb.ref('excluded.turn_hash') })),
      )
      .execute()
}
