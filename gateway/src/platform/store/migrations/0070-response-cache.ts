import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/** Whether the calls of a key are answered from the response cache. */
export const responseCache: NumberedMigration = {
  name: '0070-response-cache',
  up: (db) => runAll(db, [sql`alter table tokens add column response_cache text not null default 'group'`]),
}
