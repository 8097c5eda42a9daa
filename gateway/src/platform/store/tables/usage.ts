import type { Generated } from 'kysely'

/** Usage, added up. Errors are counted in `errors` only. */
interface Figures {
  count: number
  errors: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** Sum of seconds. */
  use_time: number
  /** Quota of the calls whose cost at the vendor is known, and what the vendor charges for them. */
  sold: Generated<number>
  vendor_cost: Generated<number>
  /** Calls whose cost at the vendor is not known. */
  unpriced: Generated<number>
  /** Prompt tokens that vendors read from their caches, and by how much they charge less for it. */
  cached_tokens: Generated<number>
  cost_saved: Generated<number>
}

/** What was served with each key of a channel; written by the charges. */
interface KeySums extends Record<
  'count' | 'quota' | 'prompt_tokens' | 'sold' | 'vendor_cost' | 'unpriced' | 'cached_tokens' | 'cost_saved',
  number
> {
  channel_id: number
  /** The fingerprint of the key; empty where it is not known. */
  upstream_key: string
}

/** Consumption by the hour, written by the charges; `hour` is its first second. */
interface RollupsTable extends Figures {
  hour: number
  user_id: number
  token_name: string
  model_name: string
  channel_id: number
  group: string
}

/** The hourly rollups added up by one column, by the hour or by the day in UTC: see `analytics`. */
interface SumsTable extends Figures {
  /** Which column. */
  dimension: number
  /** The first second. */
  start: number
  /** The value of the column; ids as text. */
  key: string
}

/** Hours that begin before `until` (seconds) are included in the sums by a column. */
interface SumProgressTable {
  dimension: number
  until: number
}

/** Hours that were charged to after they had been added up. */
interface StaleHoursTable {
  hour: number
}

/** Measures of calls that are not in the packs yet. */
interface MeasureBatchesTable {
  id: Generated<number>
  /** The first second of the latest hour in it. */
  hour: number
  /** See `ledger/charge/measure-batch`. */
  records: Uint8Array
}

/** Measures by value of a column and day, see `analytics/measures/packs`. */
interface UsagePacksTable {
  /** Which column. */
  pack: number
  /** Its value; ids as text. */
  value: string
  /** In UTC, its first second. */
  day: number
  /** See `analytics/measures/packs`. */
  records: Uint8Array
}

/** What a user used at a channel in hours whose rollups were removed, see `retention`. */
interface RemovedSumsTable {
  user_id: number
  channel_id: number
  quota: number
  count: number
}

/** Usage, added up for charts and filters. */
export interface UsageTables {
  rollups: RollupsTable
  key_rollups: KeySums & { hour: number }
  /** By the day in UTC. */
  key_days: KeySums & { day: number }
  hourly_sums: SumsTable
  daily_sums: SumsTable
  sum_progress: SumProgressTable
  stale_hours: StaleHoursTable
  measure_batches: MeasureBatchesTable
  usage_packs: UsagePacksTable
  removed_sums: RemovedSumsTable
}
