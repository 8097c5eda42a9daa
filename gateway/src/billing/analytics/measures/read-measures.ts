import { sql, type RawBuilder } from 'kysely'

import type { Queries } from '../../../platform/store/database'
import type { UsageFilter } from '../../../platform/store/usage-conditions'
import { dimensionNames, filteredBy, spans, type DimensionName, type Hours, type TimeBuckets } from '../rollups'
import { readBatch, type MeasureKey } from './read-batch'
import { Measures } from './measures'
import { packOf, readPack } from './packs'
import { nextTurn } from '../../../platform/time/timers'

/** The query for measures. */
export interface MeasuresQuery {
  /** Patterns of models resolved to their names, see `store/model-names`. */
  readonly filter: UsageFilter
  readonly hours: Hours
  /** Broken down by time, and by these values of a column. */
  readonly parts?: TimeBuckets
  readonly series?: { readonly column: DimensionName; readonly keys: readonly (string | number)[] }
}

export interface MeasuresFound {
  readonly total: Measures
  readonly byPart: ReadonlyMap<number, Measures>
  /** Null: they are not kept by such a column within such a filter. */
  readonly bySeries: ReadonlyMap<string, Measures> | null
}

/**
 * Adds up the measures of some hours: of all calls, of those with values of one column, or of one user's within any filter. Null for other
 * filters. Packs and the batches that are not in them yet are read by one statement, so that no call is missed or counted twice while they
 * are folded.
 */
export async function readMeasures(query: Queries, selection: MeasuresQuery): Promise<MeasuresFound | null> {
  const plan = planOf(selection)
  if (!plan) return null
  const found = new Collector(selection, plan)
  const { rows } = await statementOf(selection, plan).execute(query)
  let bytesLeft = bytesAtOnce
  for (const { pack, value, day, records } of rows) {
    if (pack === 0) readBatch(records, (key) => found.ofBatch(key))
    else {
      const column = columnOf(pack)
      if (column) readPack({ column, day }, records, (key) => found.ofPack(column, value, key))
    }
    bytesLeft -= records.length
    if (bytesLeft > 0) continue
    bytesLeft = bytesAtOnce
    await nextTurn()
  }
  return found
}

/** Bytes after which other work gets its turn. */
const bytesAtOnce = 256 * 1024

const columnOf = (pack: number): DimensionName | undefined => dimensionNames.find((column) => packOf(column) === pack)

/** From which packs the total is added up, and from which the series. */
interface Plan {
  readonly column: DimensionName
  /** Values of that column; undefined: all of them. */
  readonly values: readonly string[] | undefined
  /** Undefined: series are found within the records of the total. */
  readonly series: DimensionName | undefined
  readonly hasSeries: boolean
}

function planOf({ filter, series }: MeasuresQuery): Plan | null {
  if (filter.userId === null || filter.modelName?.includes('%')) return null
  const columns = filteredBy(filter)
  const isOneUser = filter.userId !== undefined
  if (isOneUser) return { column: 'user_id', values: [String(filter.userId)], series: undefined, hasSeries: true }
  const [column, ...others] = columns
  if (others.length > 0) return null
  // Groups are the fewest.
  if (!column) return { column: 'group', values: undefined, series: series?.column, hasSeries: true }
  return {
    column,
    values: valuesOf(filter, column),
    series: series?.column === column ? column : undefined,
    hasSeries: series?.column === column,
  }
}

function valuesOf(filter: UsageFilter, column: DimensionName): readonly string[] | undefined {
  const { modelName, modelNames, tokenName, group, channelId, userId } = filter
  if (column === 'model_name' && modelNames) return modelNames
  const filterValues = { model_name: modelName, token_name: tokenName, group, channel_id: channelId, user_id: userId }
  const value = filterValues[column]
  return value === undefined || value === null ? undefined : [String(value)]
}

interface Row {
  /** 0: a batch. */
  readonly pack: number
  readonly value: string
  readonly day: number
  readonly records: Uint8Array
}

function statementOf({ hours, series }: MeasuresQuery, plan: Plan) {
  const whole = packsOf(plan.column, plan.values, hours)
  // Where both are of one column, the total has all of them.
  const parts =
    plan.series && plan.series !== plan.column ? [packsOf(plan.series, series?.keys.map(String), hours)] : []
  const batches = sql`select 0 as pack, '' as value, hour as day, records from measure_batches where hour >= ${hours.from}`
  return sql<Row>`${sql.join([whole, ...parts, batches], sql` union all `)}`
}

const packsOf = (column: DimensionName, values: readonly string[] | undefined, { from, before }: Hours) =>
  sql`select pack, value, day, records from usage_packs where pack = ${sql.lit(packOf(column))}
    and day > ${from - spans.day} and day < ${before} ${values ? sql`and ${isAmong(values)}` : sql``}`

const isAmong = (values: readonly string[]): RawBuilder<unknown> =>
  values.length === 0 ? sql`1 = 0` : sql`value in (${sql.join(values)})`

/** Collects measures by where those of each key belong. */
class Collector {
  readonly total = new Measures()
  readonly byPart = new Map<number, Measures>()
  readonly bySeries: ReadonlyMap<string, Measures> | null
  readonly #conditions: ReturnType<typeof conditionsOf>

  constructor(
    private readonly query: MeasuresQuery,
    private readonly plan: Plan,
  ) {
    this.#conditions = conditionsOf(query.filter)
    this.bySeries = plan.hasSeries ? new Map(query.series?.keys.map((key) => [String(key), new Measures()])) : null
  }

  ofBatch({ hour, values }: MeasureKey): readonly Measures[] {
    return this.#isWithin(hour) && this.#matches(values) ? this.#ofAll(hour, values) : noMeasures
  }

  ofPack(
    column: DimensionName,
    value: string,
    { hour, inner }: { hour: number; inner: Partial<MeasureKey['values']> },
  ): readonly Measures[] {
    if (!this.#isWithin(hour)) return noMeasures
    const values = { ...inner, [column]: value }
    // Packs of series are of all calls; the total is elsewhere.
    if (column !== this.plan.column) return this.#ofSeries(values)
    return this.#matches(values) ? this.#ofAll(hour, values) : noMeasures
  }

  #isWithin(hour: number): boolean {
    return hour >= this.query.hours.from && hour < this.query.hours.before
  }

  #matches(values: Partial<MeasureKey['values']>): boolean {
    return this.#conditions.every(([column, allowed]) => allowed.has(values[column] ?? ''))
  }

  #ofAll(hour: number, values: Partial<MeasureKey['values']>): Measures[] {
    const { parts } = this.query
    const part = parts ? [among(this.byPart, Math.floor((hour + parts.shift) / parts.size))] : []
    return [this.total, ...part, ...this.#ofSeries(values)]
  }

  #ofSeries(values: Partial<MeasureKey['values']>): Measures[] {
    const { series } = this.query
    const measures = series && this.bySeries?.get(values[series.column] ?? '')
    return measures ? [measures] : []
  }
}

const noMeasures: readonly Measures[] = []

const conditionsOf = (filter: UsageFilter): [DimensionName, ReadonlySet<string>][] =>
  filteredBy(filter).map((column) => [column, new Set(valuesOf(filter, column))])

function among(byPart: Map<number, Measures>, part: number): Measures {
  const known = byPart.get(part)
  if (known) return known
  const created = new Measures()
  byPart.set(part, created)
  return created
}
