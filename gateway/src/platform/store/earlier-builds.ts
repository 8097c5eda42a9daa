import { sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'

/** Steps are made in their order, so a database with this one has them all. */
const lastEarlierStep = '0060-margins'
/** The last commit that had them. */
export const lastEarlierBuild = 'b7c9f184'

/** Returns whether a database lacks steps that only builds before the first release have. */
export const isTooOld = ({ earlier }: { readonly earlier: readonly string[] }): boolean =>
  earlier.length > 0 && !earlier.includes(lastEarlierStep)

export const tooOldSentence = `The database was made by a build before the first release: start the last of these builds, ${lastEarlierBuild} (git checkout ${lastEarlierBuild}), once on it or on a restored backup of it; nothing was changed.`

const migrations = sql.table(DEFAULT_MIGRATION_TABLE)

/** Returns whether all earlier steps were made, and not yet replaced by the one step of the first release. */
export async function isOfEarlierBuild(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select name from ${migrations} where name = ${lastEarlierStep}`.execute(db)
  return rows.length > 0
}

/** External accounts, which moved to rows of `identities`. Nothing reads these columns any more. */
const unusedColumns = ['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']

/** Makes a database with all earlier steps the same as one that begins with this release, in place of creating its tables. */
export async function continueEarlierBuild(db: Kysely<unknown>): Promise<void> {
  for (const column of unusedColumns) {
    await sql`drop index ${sql.ref(`users_${column}`)}`.execute(db)
    await sql`alter table users drop column ${sql.ref(column)}`.execute(db)
  }
  await sql`delete from ${migrations} where name <= ${lastEarlierStep}`.execute(db)
}
