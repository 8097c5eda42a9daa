import { dimensionNames, type DimensionName } from '../../billing/analytics/rollups'
import type { MeasureKey } from '../../billing/analytics/measures/read-batch'
import { Measures } from '../../billing/analytics/measures/measures'
import { readPack } from '../../billing/analytics/measures/packs'
import type { Difference } from './difference'

export interface HourFigures {
  readonly measures: Measures
  /** Calls and failed attempts by the column's value. */
  readonly byValue: Map<string, number>
}

/** Measures by column and hour. */
export class HourlyFigures {
  readonly #hours = new Map<string, HourFigures>()

  at(column: DimensionName, hour: number): HourFigures {
    const id = `${column} ${hour}`
    const figures = this.#hours.get(id) ?? { measures: new Measures(), byValue: new Map<string, number>() }
    this.#hours.set(id, figures)
    return figures
  }

  /** Counts one call or failed attempt, and returns the measures to which it is to be added. */
  one({ hour, values }: MeasureKey): Measures[] {
    return dimensionNames.map((column) => this.#countAttempts(column, hour, values[column], 1))
  }

  /** Adds the records of a pack. */
  addPack(column: DimensionName, value: string, day: number, records: Uint8Array): void {
    const own = new Map<number, Measures>()
    readPack({ column, day }, records, ({ hour }) => {
      const measures = own.get(hour) ?? new Measures()
      own.set(hour, measures)
      return [measures, this.at(column, hour).measures]
    })
    for (const [hour, { calls, errors }] of own) {
      const failed = [...errors.values()].reduce((sum, count) => sum + count, 0)
      this.#countAttempts(column, hour, value, calls + failed)
    }
  }

  #countAttempts(column: DimensionName, hour: number, value: string, attempts: number): Measures {
    const { measures, byValue } = this.at(column, hour)
    byValue.set(value, (byValue.get(value) ?? 0) + attempts)
    return measures
  }
}

/** What the figures of an hour should be. */
export interface Expected {
  readonly calls: HourFigures
  readonly errors: HourFigures
  /** The values of the column are known, too. */
  readonly isByValue: boolean
}

/** Returns the first difference of each kind of figure. What caches saved is not compared, as no log row has it. */
export function differencesOf(
  found: HourFigures,
  { calls, errors, isByValue }: Expected,
): Pick<Difference, 'check' | 'found' | 'expected'>[] {
  const byCall = figuresOf(calls)
  const pairs = [
    ['measure-calls', figuresOf(found).calls, byCall.calls],
    ['measure-calls', isByValue ? found.byValue : noFigures, isByValue ? calls.byValue : noFigures],
    ['measure-tokens', figuresOf(found).tokens, byCall.tokens],
    ['measure-times', figuresOf(found).times, byCall.times],
    ['measure-errors', found.measures.errors, errors.measures.errors],
  ] as const
  return pairs.flatMap(([check, one, other]) => {
    const key = [...one.keys(), ...other.keys()].find((name) => one.get(name) !== other.get(name))
    return key === undefined ? [] : [{ check, found: one.get(key) ?? 0, expected: other.get(key) ?? 0 }]
  })
}

type Figures = ReadonlyMap<string, number>

const noFigures: Figures = new Map()

const figuresOf = ({ measures }: HourFigures): Record<'calls' | 'tokens' | 'times', Figures> => ({
  calls: new Map([['all', measures.calls]]),
  tokens: new Map([
    ['prompt', measures.promptTokens],
    ['completion', measures.completionTokens],
    ['cached', measures.cachedTokens],
  ]),
  times: new Map([
    ['output', measures.outputMs],
    ...measures.firstToken.entries().map(([bucket, count]): [string, number] => [`first token ${bucket}`, count]),
    ...measures.whole.entries().map(([bucket, count]): [string, number] => [`whole ${bucket}`, count]),
  ]),
})
