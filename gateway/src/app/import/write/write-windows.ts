import type { OptionValues } from '@tollgate/contract'

import { openPeriodIn } from '../../../billing/ledger/window/period-store'
import { limitWindow, windowsOfOwner } from '../../../billing/ledger/window/read-windows'
import { setWindowsIn } from '../../../billing/ledger/window/set-windows'
import type { SiteSource, SourceWindow } from '../site-source'
import type { ImportTarget } from './import-target'

type Site = Pick<OptionValues, 'SiteTimeZone'>

/** Imports limits of users and keys, with what was used of them in the present period. */
export async function writeWindows(source: SiteSource, site: Site, target: ImportTarget): Promise<void> {
  for await (const windows of source.windows()) {
    const owners = Map.groupBy(windows, ({ owner, ownerId }) => `${owner} ${ownerId}`)
    for (const ofOwner of owners.values()) await writeOwn(ofOwner, site, target)
    if (windows.length > 0) target.report.count('limits', windows.length)
  }
}

async function writeOwn(windows: readonly SourceWindow[], { SiteTimeZone }: Site, target: ImportTarget): Promise<void> {
  const { transaction, database, at } = target
  const [first] = windows
  if (!first) return
  const { owner, ownerId } = first
  const clock = { seconds: () => at }
  await setWindowsIn(
    { clock, database },
    transaction,
    { owner, ref: String(ownerId) },
    windows.map(({ settings }) => settings),
  )
  for (const row of await windowsOfOwner(transaction, owner, String(ownerId))) {
    const used = windows.find(({ settings }) => settings.name === row.name)?.used ?? 0
    const window = limitWindow(row, ownerId, SiteTimeZone)
    const period = used > 0 && window ? await openPeriodIn(database, transaction, window, at) : null
    if (period)
      await transaction
        .updateTable('window_periods')
        .set((eb) => ({ free: eb('free', '-', used) }))
        .where('id', '=', period.id)
        .execute()
  }
}
