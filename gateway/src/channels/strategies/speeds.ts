import * as z from 'zod'

import type { Clock } from '../../platform/time/clock'

/** How fast one response came. */
export interface ResponseSpeed {
  /** To the first token, or to the whole response where it has no tokens; null where that is not known: a response in one piece. */
  readonly startMs: number | null
  readonly tokens: number
  /** The time in which the tokens came. */
  readonly tokenMs: number
}

/** Sums over responses. What it divides by may be 0. */
const Sums = z.object({
  responses: z.number().min(0),
  starts: z.number().min(0),
  startMs: z.number().min(0),
  tokens: z.number().min(0),
  tokenMs: z.number().min(0),
})
type Sums = z.infer<typeof Sums>

/** What one worker measured in one period, by the names that `modelName` gives. Sent as JSON between the processes of a node. */
export const SpeedReport = z.object({
  kind: z.literal('speeds'),
  period: z.number().int(),
  sums: z.array(z.tuple([z.string().max(1000), Sums])).max(1000),
})
export type SpeedReport = z.infer<typeof SpeedReport>

/** How fast a channel serves a model. */
export interface Speed {
  /** What it is known by: few responses say little. */
  readonly responses: number
  /** Milliseconds to the first token, those of failed attempts included; null: not known. */
  readonly startMs: number | null
  /** Milliseconds a token; null: not known. */
  readonly tokenMs: number | null
}

const periodMs = 5_000
const periodsOfSpan = 120
/** Periods after which earlier responses count half as much; they never count as fewer than 20, nor as more than 200. */
const halfLife = 36
const minRetained = 20
const maxRetained = 200
/** The capacity; beyond it the one that was measured first is dropped. */
const maxKnown = 10_000

interface Known {
  sums: Sums
  speed: Speed
  /** The period of the latest report. */
  period: number
  /** The speed at the end of the span before that of `period`; in the first one that of the first report. */
  earlier: Speed
}

/**
 * How fast channels serve their models, as traffic shows it, with weights that fall by half in three minutes. Workers add up what they measured in
 * a period and tell the others, so that all of a node have the same figures. Of the figures, those at the end of the latest span of ten
 * minutes are kept: conversations go by them.
 */
export class Speeds {
  readonly #known = new Map<string, Known>()
  #open = new Map<string, Sums>()
  #openPeriod: number

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly publish: (report: SpeedReport) => void,
  ) {
    this.#openPeriod = this.#now()
  }

  /** The number of the current period, in which nothing changes. */
  get period(): number {
    const now = this.#now()
    if (now !== this.#openPeriod) this.#close(now)
    return now
  }

  record(name: string, { startMs, tokens, tokenMs }: ResponseSpeed): void {
    const sums = this.#sumsOf(name)
    sums.responses += 1
    if (startMs !== null) {
      sums.starts += 1
      sums.startMs += startMs
    }
    sums.tokens += tokens
    sums.tokenMs += tokenMs
  }

  /** Records what a failed attempt took: the time counts, as the caller waits for it. */
  recordFailure(name: string, tookMs: number): void {
    this.#sumsOf(name).startMs += tookMs
  }

  /** Called with what another worker measured. */
  receive({ period, sums }: SpeedReport): void {
    for (const [name, added] of sums) this.#add(name, added, period)
  }

  /** Returns the latest figures; null: never measured. */
  current(name: string): Speed | null {
    return this.#known.get(name)?.speed ?? null
  }

  /** Returns the figures as they were when the span began. */
  findSettled(name: string, span: number): Speed | null {
    const known = this.#known.get(name)
    if (!known) return null
    return spanOf(known.period) < span ? known.speed : known.earlier
  }

  #now = (): number => Math.floor(this.clock.now() / periodMs)

  #sumsOf(name: string): Sums {
    if (this.#now() !== this.#openPeriod) this.#close(this.#now())
    const open = this.#open.get(name)
    if (open) return open
    const sums = { responses: 0, starts: 0, startMs: 0, tokens: 0, tokenMs: 0 }
    this.#open.set(name, sums)
    return sums
  }

  #close(now: number): void {
    const period = this.#openPeriod
    this.#openPeriod = now
    if (this.#open.size === 0) return
    const sums = [...this.#open]
    this.#open = new Map()
    for (let from = 0; from < sums.length; from += maxReported) {
      const report = { kind: 'speeds', period, sums: sums.slice(from, from + maxReported) } as const
      this.receive(report)
      this.publish(report)
    }
  }

  #add(name: string, added: Sums, period: number): void {
    const known = this.#known.get(name)
    if (!known) {
      if (this.#known.size >= maxKnown) this.#dropFirst()
      const speed = toSpeed(added)
      this.#known.set(name, { sums: added, speed, period, earlier: speed })
      return
    }
    if (spanOf(period) > spanOf(known.period)) known.earlier = known.speed
    known.sums = sumOf(known.sums, retainedPart(known.sums.responses, period - known.period), added)
    known.speed = toSpeed(known.sums)
    known.period = Math.max(known.period, period)
  }

  #dropFirst(): void {
    for (const first of this.#known.keys()) {
      this.#known.delete(first)
      return
    }
  }
}

const maxReported = 1000

/** Returns the span of a period: speeds by which conversations go change from one to the next. */
export const spanOf = (period: number): number => Math.floor(period / periodsOfSpan)

/** Returns what part of earlier sums counts after some periods; all of it in the same one, so that the order of reports makes no difference. */
function retainedPart(responses: number, periods: number): number {
  if (responses === 0 || periods <= 0) return 1
  const faded = responses * 2 ** (-periods / halfLife)
  return Math.min(Math.max(faded, Math.min(responses, minRetained)), maxRetained) / responses
}

const sumOf = (sums: Sums, part: number, added: Sums): Sums => ({
  responses: sums.responses * part + added.responses,
  starts: sums.starts * part + added.starts,
  startMs: sums.startMs * part + added.startMs,
  tokens: sums.tokens * part + added.tokens,
  tokenMs: sums.tokenMs * part + added.tokenMs,
})

const toSpeed = ({ responses, starts, startMs, tokens, tokenMs }: Sums): Speed => ({
  responses,
  startMs: starts > 0 ? startMs / starts : null,
  tokenMs: tokens > 0 ? tokenMs / tokens : null,
})
