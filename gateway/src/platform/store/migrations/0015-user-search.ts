import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * The texts users are found by as one column, case-folded, and covering indexes for lists, searches and a group's list: rows are not read
 * to be skipped or counted. The database maintains the column, whichever release writes.
 */
export const userSearch: NumberedMigration = {
  name: '0015-user-search',
  async up(db, kind) {
    if (kind === 'postgres') {
      await sql`alter table users add column search_text text
        generated always as (${searchText('chr')}) stored`.execute(db)
      await sql`create index users_search on users (id) include (search_text, role)`.execute(db)
      await sql`create index users_of_group on users ("group", id) include (search_text, role)`.execute(db)
      return
    }
    // SQLite cannot add a stored generated column, and an index on a virtual one does not cover a query.
    await sql`alter table users add column search_text text not null default ''`.execute(db)
    const keep = sql`update users set search_text = ${searchText('char')}`
    await keep.execute(db)
    await sql`create trigger users_inserted after insert on users begin
      ${keep} where id = new.id; end`.execute(db)
    await sql`create trigger users_renamed after update of username, email, display_name on users begin
      ${keep} where id = new.id; end`.execute(db)
    await sql`create index users_search on users (id, search_text, role)`.execute(db)
    await sql`create index users_of_group on users ("group", id, search_text, role)`.execute(db)
  },
}

/** The separator cannot be typed, so no search matches across two texts. */
const searchText = (char: 'chr' | 'char') =>
  sql`lower(username || ${sql.raw(char)}(31) || coalesce(email, '') || ${sql.raw(char)}(31) || display_name)`
