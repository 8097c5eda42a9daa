import { addNextHour } from '../src/billing/analytics/add-up'
import { dimensionNames } from '../src/billing/analytics/rollups'
import type { Database } from '../src/platform/store/database'

/** Adds up all hours that begin before `before` (seconds), by every column. */
export async function addUpHours(database: Database, before: number): Promise<void> {
  for (const column of dimensionNames) while (await addNextHour(database, column, before));
}
