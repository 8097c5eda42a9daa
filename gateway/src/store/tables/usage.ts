import type { Generated } from 'kysely'

/** What was used, added up. Errors are counted in `errors` alone. */
interface Figures {
  count: number
  errors: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** Sum of seconds. */
  use_time: number
}

/** Consumption by the hour; `hour` is its first second. */
interface RollupsTable extends Figures {
  hour: number
  user_id: number
  token_name: string
  model_name: string
  channel_id: number
  group: string
}

/** The hourly sums added up by one column: see `analytics`. */
interface UsageSumsTable extends Figures {
  /** Which column. */
  dimension: number
  /** Seconds: of an hour or of a day in UTC; see `analytics/long-sums` for longer times. */
  span: number
  start: number
  /** The value of the column; ids as text. */
  key: string
}

/** The hourly sums added up by one column and another: see `analytics/pairs`. */
interface UsagePairsTable extends Figures {
  /** Which columns. */
  pair: number
  /** Seconds: of a day in UTC, of a third of one, or of a week. */
  span: number
  /** The value of the first column; ids as text. */
  one: string
  start: number
  /** The value of the second column. */
  other: string
}

/** Measures of calls that are not in the packs yet. */
interface MeasureBatchesTable {
  id: Generated<number>
  /** The first second of the latest hour in it. */
  hour: number
  /** See `analytics/measures/batch`. */
  records: Uint8Array
}

/** What users used within one value of a column, see `analytics/user-packs`, and measures, see `analytics/measures/packs`. */
interface UsagePacksTable {
  /** Which column. */
  pack: number
  /** Its value; ids as text. */
  value: string
  /** In UTC, its first second. */
  day: number
  /** See `analytics/user-records` and `analytics/measures/packs`. */
  records: Uint8Array
}

/** Hours that begin before `until` (seconds) are among the sums of a column, of a pair of them, those of longer times, or packs. */
interface UsageFoldsTable {
  dimension: number
  until: number
}

/** Usage, added up for charts and filters. */
export interface UsageTables {
  rollups: RollupsTable
  usage_sums: UsageSumsTable
  usage_pairs: UsagePairsTable
  measure_batches: MeasureBatchesTable
  usage_packs: UsagePacksTable
  usage_folds: UsageFoldsTable
}
