import { role, userStatus } from '@tollgate/contract'
import { sql } from 'kysely'

import { version } from '../../platform/config/version'
import { keepImport, type ImportNote } from '../../operations/import-note'
import type { LastIds, SiteSource, Totals } from './site-source'
import type { ImportTarget } from './write/import-target'
import { readTotals } from './write/read-totals'
import { writeChannels } from './write/write-channels'
import { writeCodes } from './write/write-codes'
import { writeFactors } from './write/write-factors'
import { writeHours } from './write/write-hours'
import { writeOptions } from './write/write-options'
import { writePlans } from './write/write-plans'
import { writePrices } from './write/write-prices'
import { writeTokens } from './write/write-tokens'
import { writeTopUps } from './write/write-top-ups'
import { writeUsers } from './write/write-users'
import { writeWindows } from './write/write-windows'

/** What must be equal. */
interface Imported {
  readonly note: ImportNote
  readonly source: Totals
  readonly target: Totals
}

/** Imports a site without its log into a gateway that has nothing yet. */
export async function importSite(source: SiteSource, identity: string, target: ImportTarget): Promise<Imported> {
  const { transaction, at } = target
  await writeUsers(source, target)
  await writeTokens(source, target)
  await writeCodes(source, target)
  await writeFactors(source, target)
  const options = await writeOptions(source, target)
  await writePrices(source, options, target)
  await writeChannels(source, options, target)
  await writePlans(source, options, target)
  await writeTopUps(source, options, target)
  await writeWindows(source, options, target)
  await writeHours(source, target)
  const lastIds = await source.lastIds()
  await continueIds(lastIds, target)
  await finishSetup(target)
  const note = { product: source.product, source: identity, at, logsFrom: null }
  await keepImport(transaction, note)
  return { note, source: await source.totals(), target: await readTotals(transaction) }
}

/** The super admin of the source is that of this gateway. */
async function finishSetup({ transaction, report, at }: ImportTarget): Promise<void> {
  const root = await transaction
    .selectFrom('users')
    .select('username')
    .where('role', '=', role.root)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!root) return report.note('no super admin: set the gateway up in the browser to create one')
  await transaction.insertInto('setups').values({ id: 1, version, initialized_at: at }).execute()
}

/** Makes new rows get ids after those of the source, of rows that are gone too: logs and links name them. */
async function continueIds(last: LastIds, { database: { kind }, transaction }: ImportTarget): Promise<void> {
  for (const [table, id] of Object.entries(last)) {
    if (id <= 0) continue
    if (kind === 'postgres') {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${sql.lit(id)})`.execute(transaction)
      continue
    }
    await sql`update sqlite_sequence set seq = max(seq, ${id}) where name = ${table}`.execute(transaction)
    await sql`insert into sqlite_sequence (name, seq) select ${table}, ${id}
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(transaction)
  }
}
