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

/** The counts of one histogram. */
class Histogram {
  readonly #counts: Float64Array
  #sum = 0

  /** `bounds`: upper bounds, ascending. */
  constructor(private readonly bounds: readonly number[]) {
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const { bounds } = this
    let index = 0
    while (index < bounds.length && value > (bounds[index] ?? Infinity)) index += 1
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sum += value
  }

  samples(name: string, labels: readonly Label[]): Sample[] {
    let total = 0
    const buckets = [...this.#counts].map((count, index): Sample => {
      total += count
      return [seriesOf(`${name}_bucket`, [...labels, ['le', String(this.bounds[index] ?? '+Inf')]]), total]
    })
    return [...buckets, [seriesOf(`${name}_sum`, labels), this.#sum], [seriesOf(`${name}_count`, labels), total]]
  }
}

/** Histograms of values. */
export class Spread implements Series {
  readonly suffixes = ['_bucket', '_sum', '_count']
  readonly #spreads = new Map<string, Histogram>()

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
    this.#spreadOf(labels).observe(value)
  }

  read(): Reading {
    const { name, help, labelNames } = this
    const samples = [...this.#spreads].flatMap(([key, spread]) => spread.samples(name, labelsOf(labelNames, key)))
    return { name, help, type: 'histogram', merge: 'sum', samples }
  }

  #spreadOf(labels: string): Histogram {
    const known = this.#spreads.get(labels)
    if (known) return known
    const histogram = new Histogram(this.bounds)
    this.#spreads.set(labels, histogram)
    return histogram
  }
}

/** The label of what has no series of its own. */
const otherLabel = 'other'

/** Histograms by one label with very many values: the first ones have a histogram each, all further ones share one. */
export class SpreadByFirst implements Series {
  readonly suffixes = ['_bucket', '_sum', '_count']
  readonly labelNames: readonly string[]
  readonly #spreads = new Map<string | number, Histogram>()
  readonly #other: Histogram

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
    private readonly label: string,
    private readonly max: number,
  ) {
    this.labelNames = [label]
    this.#other = new Histogram(bounds)
  }

  observe(value: number, key: string | number): void {
    ;(this.#spreads.get(key) ?? this.#addSpread(key)).observe(value)
  }

  read(): Reading {
    const { name, help, label } = this
    const samples = [...this.#spreads, [otherLabel, this.#other] as const].flatMap(([key, spread]) =>
      spread.samples(name, [[label, String(key)]]),
    )
    return { name, help, type: 'histogram', merge: 'sum', samples }
  }

  #addSpread(key: string | number): Histogram {
    if (this.#spreads.size >= this.max) return this.#other
    const spread = new Histogram(this.bounds)
    this.#spreads.set(key, spread)
    return spread
  }
}

/** A counter by one label with very many values, bounded in the same way. */
export class CountedByFirst implements Series {
  readonly suffixes = ['']
  readonly labelNames: readonly string[]
  readonly #sums = new Map<string, number>()
  #other = 0

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly label: string,
    private readonly max: number,
  ) {
    this.labelNames = [label]
  }

  add(key: string, amount: number): void {
    const sum = this.#sums.get(key)
    if (sum === undefined && this.#sums.size >= this.max) this.#other += amount
    else this.#sums.set(key, (sum ?? 0) + amount)
  }

  read(): Reading {
    const { name, help, label } = this
    const samples = [...this.#sums, [otherLabel, this.#other] as const].map(([key, value]): Sample => [
      seriesOf(name, [[label, key]]),
      value,
    ])
    return { name, help, type: 'counter', merge: 'sum', samples }
  }
}

type Label = readonly [name: string, value: string]

function labelsOf(names: readonly string[], key: string): Label[] {
  const values = key.split(' ')
  return names.map((name, index) => [name, values[index] ?? ''])
}

const seriesOf = (name: string, labels: readonly Label[]): string =>
  labels.length === 0
    ? name
    : `${name}{${labels.map(([label, value]) => `${label}="${escapeLabel(value)}"`).join(',')}}`

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
