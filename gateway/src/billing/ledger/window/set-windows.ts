import type { windowRoutes } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { Database, Transaction } from '../../../platform/store/database'
import type { WindowRow } from '../../../platform/store/tables'
import type { Clock } from '../../../platform/time/clock'
import { recallLeases } from '../lease/lease-charges'
import { capacityOf } from './limit-window'

type Settings = windowRoutes.WindowSettings

/** Whose windows they are, as the contract says. */
interface Owner {
  readonly owner: windowRoutes.WindowOwner
  readonly ref: string
}

interface Deps {
  readonly clock: Pick<Clock, 'seconds'>
  readonly database: Pick<Database, 'kind'>
}

/**
 * Sets all windows of an owner at once, which were checked; those that are not among them end.
 * @throws AppError `window.none`.
 */
export async function setWindowsIn(
  { clock, database }: Deps,
  transaction: Transaction,
  { owner, ref }: Owner,
  windows: readonly Settings[],
): Promise<void> {
  const before = await transaction
    .selectFrom('windows')
    .selectAll()
    .where('owner', '=', owner)
    .where('ref', '=', ref)
    .orderBy('id')
    .$if(database.kind === 'postgres', (query) => query.forUpdate())
    .execute()
  const retained = new Set<number>()
  const sent = windows.map((settings) => ({ settings, row: rowOf(settings, before) }))
  for (const { settings, row } of sent) {
    if (!row || !isSameAccount(row, settings)) continue
    retained.add(row.id)
    await updateWindow({ clock, database }, transaction, row, settings)
  }
  const ended = before.filter(({ id }) => !retained.has(id)).map(({ id }) => id)
  if (ended.length > 0) await transaction.deleteFrom('windows').where('id', 'in', ended).execute()
  for (const { settings, row } of sent) {
    if (row && retained.has(row.id)) continue
    const created_at = clock.seconds()
    await transaction
      .insertInto('windows')
      .values({ owner, ref, ...shapeOf(settings), ...changeableOf(settings), created_at })
      .execute()
  }
}

/** @throws AppError `window.none` for the id of a window that the owner does not have. */
function rowOf({ id }: Settings, rows: readonly WindowRow[]): WindowRow | null {
  if (id === undefined) return null
  const row = rows.find((found) => found.id === id)
  if (!row) throw new AppError('window.none')
  return row
}

/** What its periods are; a window in which any of it is different is another one. */
const shapeOf = (settings: Settings) => ({
  measure: settings.measure,
  span: settings.span,
  seconds: settings.seconds,
  starts_at: settings.starts_at,
  ends_at: settings.ends_at,
  is_sliding: settings.is_sliding ? 1 : 0,
  time_zone: settings.time_zone,
})

const changeableOf = (settings: Settings) => ({
  name: settings.name,
  limit_amount: settings.limit,
  grace_percent: settings.grace_percent,
  fallback_model: settings.fallback_model,
  alert_percents: settings.alert_percents.toSorted((one, other) => one - other).join(','),
  alerts_operators: settings.alerts_operators ? 1 : 0,
})

function isSameAccount(row: WindowRow, settings: Settings): boolean {
  const shape = shapeOf(settings)
  let name: keyof typeof shape
  for (name in shape) if (row[name] !== shape[name]) return false
  return true
}

/** What was used of the present periods stays used. */
async function updateWindow(
  { clock, database }: Deps,
  transaction: Transaction,
  row: WindowRow,
  settings: Settings,
): Promise<void> {
  await transaction.updateTable('windows').set(changeableOf(settings)).where('id', '=', row.id).execute()
  const before = capacityOf(row.limit_amount, row.grace_percent)
  const after = capacityOf(settings.limit, settings.grace_percent)
  if (after === before) return
  const present = await transaction
    .selectFrom('window_periods')
    .select('id')
    .where('window_id', '=', row.id)
    .where('ends_at', '>', clock.seconds())
    .orderBy('id')
    .$if(database.kind === 'postgres', (query) => query.forUpdate())
    .execute()
  if (present.length === 0) return
  // A period may have had another limit: it ended, by the clock of the node that changed it last.
  const changed = await transaction
    .updateTable('window_periods')
    .set((eb) => ({ capacity: after, free: eb('free', '+', eb(eb.val(after), '-', eb.ref('capacity'))) }))
    .where('window_id', '=', row.id)
    .where('ends_at', '>', clock.seconds())
    .returning(['id', 'free'])
    .execute()
  for (const { id, free } of changed) if (free < 0) await recallLeases(transaction, 'window', id)
}
