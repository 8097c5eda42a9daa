import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Invoices, credit notes and monthly statements as they were issued. Their numbers come from the counter `documents`. */
export const billingDocuments: NumberedMigration = {
  name: '0056-billing-documents',
  async up(db) {
    await sql`create table billing_documents (
      number bigint primary key,
      kind text not null,
      user_id bigint not null,
      order_number text,
      part bigint not null default 0,
      month text,
      minor bigint not null default 0,
      issued_at bigint not null,
      content text not null
    )`.execute(db)
    await sql`create unique index billing_documents_order on billing_documents (order_number, part)`.execute(db)
    await sql`create unique index billing_documents_month on billing_documents (user_id, month)`.execute(db)
    await sql`create index billing_documents_user on billing_documents (user_id, number)`.execute(db)
    await sql`create index billing_documents_time on billing_documents (issued_at)`.execute(db)
  },
}
