import type { Kysely } from 'kysely'

import type { DatabaseKind } from './database'

/** A step of the schema. Steps expand first and contract in a later release, so old and new versions run side by side. */
export interface NumberedMigration {
  /** `0072-what-it-does`; for a step that removes something, with the oldest step a release must know: `….needs-0070`. */
  readonly name: string
  up(db: Kysely<unknown>, kind: DatabaseKind): Promise<void>
}
