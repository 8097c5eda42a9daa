import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/** What a file of the site has made: only that is removed when the file does not name it any more. */
export const appliedObjects: NumberedMigration = {
  name: '0074-applied-objects',
  up: (db) =>
    runAll(db, [
      sql`create table applied_objects (
        kind text not null,
        ref text not null,
        created_at bigint not null,
        constraint applied_objects_key primary key (kind, ref)
      )`,
    ]),
}
