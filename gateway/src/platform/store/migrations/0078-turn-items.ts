import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/** Which turn of the Responses API has an item. They leave with their turn, however that leaves. */
export const turnItems: NumberedMigration = {
  name: '0078-turn-items',
  up: (db) =>
    runAll(db, [
      sql`create table response_turn_items (
        item_hash text not null,
        user_id bigint not null,
        turn_hash text not null,
        constraint response_turn_items_key primary key (item_hash, user_id),
        constraint response_turn_items_turn foreign key (turn_hash, user_id)
          references response_turns (id_hash, user_id) on delete cascade deferrable initially deferred
      )`,
      sql`create index response_turn_items_of on response_turn_items (turn_hash, user_id)`,
    ]),
}
