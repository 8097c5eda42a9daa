import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * Narrowed access tokens reached everything of their owner's own. They keep reading and changing the account, which is what their owners were
 * told; making and reading API keys, and the log of calls, take a new one.
 */
export const narrowedAccessTokens: NumberedMigration = {
  name: '0049-narrowed-access-tokens',
  async up(db) {
    await sql`update access_tokens
      set scopes = case when scopes = '' then 'self.read,self.write' else scopes || ',self.read,self.write' end
      where scopes is not null`.execute(db)
  },
}
