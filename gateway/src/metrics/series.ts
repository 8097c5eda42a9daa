/*
 * Counters on the path of every call, kept as plain numbers; names and labels are assembled when they are read.
 */

/** The current value of a metric: what workers exchange, and what is written for Prometheus. */
export interface Reading {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several workers become one. */
  readonly merge: 'sum' | 'max' | 'min'
  readonly samples: readonly Sample[]
}

/** `name{label="value"}`, as in Prometheus, and the value. */
type Sample = readonly [series: string, value: number]

export interface Series {
  readonly name: string
  /** The suffixes of its samples' names. */
  readonly suffixes: readonly string[]
  readonly labelNames: readonly string[]
  read(): Reading
}

interface MeasuredOptions {
  readonly type?: 'gauge' | 'counter'
  readonly merge?: Reading['merge']
}

/** One number, evaluated when it is read. */
export class Measured implements Series {
  readonly suffixes = ['']
  readonly labelNames = []

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly value: () => number,
    private readonly options: MeasuredOptions = {},
  ) {}

  read(): Reading {
    const { name, help } = this
    const { type = 'gauge', merge = 'sum' } = this.options
    return { name, help, type, merge, samples: [[name, this.value()]] }
  }
}

/** The values of labels, in order, and a number. */
type Labelled = readonly [values: readonly string[], value: number]

/** Numbers with labels, evaluated when they are read. Workers with the same ones are merged. */
export class MeasuredEach implements Series {
  readonly suffixes = ['']

  constructor(
    readonly name: string,
    private readonly help: string,
    readonly labelNames: readonly string[],
    private readonly each: () => readonly Labelled[],
  ) {}

  read(): Reading {
    const { name, help, labelNames } = this
    const samples = this.each().map(([values, value]): Sample => {
      return [
        seriesOf(
          name,
          labelNames.map((label, index) => [label, values[index] ?? '']),
        ),
        value,
      ]
    })
    return { name, help, type: 'gauge', merge: 'max', samples }
  }
}

/** A counter, which only grows. */
export class Counted implements Series {
  readonly suffixes = ['']
  readonly #sums = new Map<string, number>()

  constructor(
    readonly name: string,
    private readonly help: string,
    readonly labelNames: readonly string[] = [],
    /** Reported as zero from the start, so that the first event is seen as an increase. */
    expected: readonly string[] = labelNames.length === 0 ? [''] : [],
  ) {
    for (const labels of expected) this.add(labels, 0)
  }

  /** `labels`: the values of the labels in order, separated by one space. */
  add(labels = '', amount = 1): void {
    this.#sums.set(labels, (this.#sums.get(labels) ?? 0) + amount)
  }

  read(): Reading {
    const { name, help, labelNames } = this
    const samples = [...this.#sums].map(([key, value]): Sample => [seriesOf(name, labelsOf(labelNames, key)), value])
    return { name, help, type: 'counter', merge: 'sum', samples }
  }
}

/** A histogram of values. */
export class Spread implements Series {
  readonly suffixes = ['_bucket', '_sum', '_count']
  readonly #spreads = new Map<string, { readonly counts: Float64Array; sum: number }>()

  constructor(
    readonly name: string,
    private readonly help: string,
    /** Upper bounds, ascending. */
    private readonly bounds: readonly number[],
    readonly labelNames: readonly string[] = [],
  ) {
    if (labelNames.length === 0) this.#spreadOf('')
  }

  observe(value: number, labels = ''): void {
    const spread = this.#spreadOf(labels)
    let place = 0
    while (place < this.bounds.length && value > (this.bounds[place] ?? Infinity)) place += 1
    spread.counts[place] = (spread.counts[place] ?? 0) + 1
    spread.sum += value
  }

  read(): Reading {
    const { name, help, labelNames } = this
    const samples = [...this.#spreads].flatMap(([key, { counts, sum }]): Sample[] => {
      const labels = labelsOf(labelNames, key)
      let total = 0
      const buckets = [...counts].map((count, place): Sample => {
        total += count
        return [seriesOf(`${name}_bucket`, [...labels, ['le', String(this.bounds[place] ?? '+Inf')]]), total]
      })
      return [...buckets, [seriesOf(`${name}_sum`, labels), sum], [seriesOf(`${name}_count`, labels), total]]
    })
    return { name, help, type: 'histogram', merge: 'sum', samples }
  }

  #spreadOf(labels: string) {
    const known = this.#spreads.get(labels)
    if (known) return known
    const made = { counts: new Float64Array(this.bounds.length + 1), sum: 0 }
    this.#spreads.set(labels, made)
    return made
  }
}

type Label = readonly [name: string, value: string]

function labelsOf(names: readonly string[], key: string): Label[] {
  const values = key.split(' ')
  return names.map((name, index) => [name, values[index] ?? ''])
}

const seriesOf = (name: string, labels: readonly Label[]): string =>
  labels.length === 0 ? name : `${name}{${labels.map(([label, value]) => `${label}="${escaped(value)}"`).join(',')}}`

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
