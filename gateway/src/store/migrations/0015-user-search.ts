import { sql } from 'kysely'

import type { NumberedMigration } from '../migrate'

/**
 * What users are found by, in one text with its case folded, and indexes that hold all that a list, a search and a group's
 * list ask of a user: nobody is read to be passed over or counted. The database keeps the text, whichever release writes.
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
    // A column that is added to a table of SQLite cannot be computed and in an index that answers alone.
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

/** Nobody types what stands between the texts, so nothing that is looked for reaches from one into the next. */
const searchText = (char: 'chr' | 'char') =>
  sql`lower(username || ${sql.raw(char)}(31) || coalesce(email, '') || ${sql.raw(char)}(31) || display_name)`
