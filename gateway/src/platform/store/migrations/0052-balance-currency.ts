import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** The currency of balances at vendors; empty until the vendor is asked again. */
export const balanceCurrency: NumberedMigration = {
  name: '0052-balance-currency',
  async up(db) {
    await sql`alter table channels add column balance_currency text not null default ''`.execute(db)
  },
}
