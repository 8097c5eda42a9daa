import { createAddToRollups, noFigures, type RollupRow } from '../../../billing/ledger/charge/charge-statements'
import type { SiteSource, SourceHour } from '../site-source'
import type { ImportTarget } from './import-target'
import { hourOf, moveFromOpening } from './imported-sums'

/**
 * Imports what users used of models by the hour, for charts: of whole hours before the import. They name no key, channel or group; those of
 * hours whose log is imported are replaced by better ones.
 */
export async function writeHours(
  source: SiteSource,
  { database, transaction, report, at }: ImportTarget,
): Promise<void> {
  const add = createAddToRollups(database)
  for await (const hours of source.hours()) {
    const rows = rowsOf(hours.filter(({ hour }) => hourOf(hour) < hourOf(at)))
    await add(transaction, rows)
    await moveFromOpening(rows, transaction)
    report.count('hourly sums', rows.length)
  }
}

/** Returns a row for each hour, user and model, in the order of the keys. */
function rowsOf(hours: readonly SourceHour[]): RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const { hour: time, userId, model, count, quota, tokens } of hours) {
    const hour = hourOf(time)
    const key = `${hour}\0${userId}\0${model}`
    const known = rows.get(key) ?? {
      hour,
      user_id: userId,
      token_name: '',
      model_name: model,
      channel_id: 0,
      group: '',
      ...noFigures,
    }
    rows.set(key, {
      ...known,
      count: known.count + count,
      quota: known.quota + quota,
      // The source does not tell prompts from answers.
      prompt_tokens: known.prompt_tokens + tokens,
      unpriced: known.unpriced + count,
    })
  }
  return [...rows.values()]
}
