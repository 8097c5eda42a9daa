import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** What operators are to be told of, a row for each thing that it can happen to. */
export const operatorEvents: NumberedMigration = {
  name: '0046-operator-events',
  async up(db) {
    await sql`create table operator_events (
      kind text not null,
      subject text not null,
      facts text not null,
      count bigint not null,
      first_at bigint not null,
      last_at bigint not null,
      due_at bigint,
      notified_at bigint,
      primary key (kind, subject)
    )`.execute(db)
    await sql`create index operator_events_due on operator_events (due_at) where due_at is not null`.execute(db)
  },
}
