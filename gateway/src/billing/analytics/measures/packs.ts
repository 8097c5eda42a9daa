import { ByteReader, ByteWriter } from '../../../platform/store/bytes'
import { dimensionNames, dimensions, spans, type DimensionName } from '../rollups'
import type { MeasureKey } from './read-batch'
import { Measures, readMeasures, writeMeasures } from './measures'

/** Returns the number of the packs by a column, after those of `user-packs`. */
export const packOf = (column: DimensionName): number => 200 + dimensions[column]

/** Users may query by their keys, models and groups, so their packs are broken down by all columns. */
const innerColumns = (column: DimensionName): readonly DimensionName[] =>
  column === 'user_id' ? dimensionNames.filter((name) => name !== 'user_id') : []

/** What a record of a pack counts. Only has the values by which the column's packs are broken down. */
export interface RecordKey {
  readonly hour: number
  readonly inner: Partial<MeasureKey['values']>
}

/** The measures of one value of a column on one day, by the hour and by the columns that its packs are broken down by. */
export class Pack {
  readonly #records = new Map<string, { readonly key: RecordKey; readonly measures: Measures }>()

  constructor(
    readonly column: DimensionName,
    /** Its first second, in UTC. */
    readonly day: number,
  ) {}

  /** Returns the measures to which those of a call or attempt are added. */
  at({ hour, values }: Pick<MeasureKey, 'hour'> & { readonly values: RecordKey['inner'] }): Measures {
    const columns = innerColumns(this.column)
    const id = columns.reduce((text, name) => `${text}\0${values[name] ?? ''}`, String(hour))
    const known = this.#records.get(id)
    if (known) return known.measures
    const inner = Object.fromEntries(columns.map((name) => [name, values[name] ?? '']))
    const created = { key: { hour, inner }, measures: new Measures() }
    this.#records.set(id, created)
    return created.measures
  }

  add(bytes: Uint8Array): void {
    readPack(this, bytes, ({ hour, inner }) => [this.at({ hour, values: inner })])
  }

  bytes(): Uint8Array {
    const writer = new ByteWriter()
    for (const { key, measures } of this.#records.values()) {
      writer.number((key.hour - this.day) / spans.hour)
      for (const name of innerColumns(this.column)) writer.text(key.inner[name] ?? '')
      writeMeasures(writer, measures)
    }
    return writer.bytes()
  }
}

/** Adds each record to the measures that `targetsOf` returns for its key. */
export function readPack(
  { column, day }: Pick<Pack, 'column' | 'day'>,
  bytes: Uint8Array,
  targetsOf: (key: RecordKey) => readonly Measures[],
): void {
  const reader = new ByteReader(bytes)
  const columns = innerColumns(column)
  while (!reader.isAtEnd) {
    const hour = day + reader.number() * spans.hour
    const inner: RecordKey['inner'] = Object.fromEntries(columns.map((name) => [name, reader.text()]))
    readMeasures(reader, targetsOf({ hour, inner }))
  }
}
