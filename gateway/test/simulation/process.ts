import { createClock } from '../../src/platform/time/clock'
import type { Timers } from '../../src/platform/time/timers'

/** Work that a process does as soon as the simulation lets it. */
export interface Turn {
  readonly process: Process
  readonly what: string
  /** Earliest time, on the clock of the simulation. */
  readonly at: number
  readonly run: () => void
}

/** The time of a simulation and everything that waits for it. */
export class VirtualTime {
  ms = 1_000_000
  /** Unix time in milliseconds when `ms` is 0. */
  #epochMs = 1_800_000_000_000
  /** How often it jumped. */
  jumps = 0

  /** Unix milliseconds. */
  get wallMs(): number {
    return this.#epochMs + this.ms
  }

  /** It is another day, though no process lived through the time between. */
  jumpTo(wallMs: number): void {
    this.#epochMs = wallMs - this.ms
    this.jumps += 1
  }
  #turns = new Set<Turn>()

  add(turn: Turn): () => void {
    this.#turns.add(turn)
    return () => this.#turns.delete(turn)
  }

  /** Returns the work that is due. */
  due(): Turn[] {
    const due: Turn[] = []
    for (const turn of this.#turns) if (turn.at <= this.ms && turn.process.isRunning) due.push(turn)
    return due
  }

  take(turn: Turn): void {
    this.#turns.delete(turn)
    turn.run()
  }

  /** Drops all work of a process. */
  forget(process: Process): void {
    for (const turn of this.#turns) if (turn.process === process) this.#turns.delete(turn)
  }
}

/** A process as the operating system sees it: it runs, is suspended for a while, and dies. */
export class Process {
  isDead = false
  #standsUntil = -Infinity
  /** Error of its wall clock. */
  #wallOffsetMs = 0
  #clockSets = 0

  constructor(
    readonly name: string,
    readonly time: VirtualTime,
  ) {}

  get isRunning(): boolean {
    return !this.isDead && this.time.ms >= this.#standsUntil
  }

  readonly clock = createClock(
    () => this.time.wallMs + this.#wallOffsetMs,
    () => this.time.ms,
  )

  readonly timers: Timers = {
    wait: (ms) => new Promise((resolve) => this.#later('wait', ms, resolve)),
    soon: (work) => void this.#later('soon', 0, work),
    after: (ms, work) => this.#later('after', ms, work),
    every: (ms, work) => {
      const again = () => {
        cancel = this.#later('every', ms, again)
        work()
      }
      let cancel = this.#later('every', ms, again)
      return () => cancel()
    },
  }

  setClock(wallOffsetMs: number): void {
    this.#wallOffsetMs = wallOffsetMs
    this.#clockSets += 1
  }

  /** How often its wall clock was set. */
  get clockSets(): number {
    return this.#clockSets + this.time.jumps
  }

  standStill(ms: number): void {
    this.#standsUntil = this.time.ms + ms
  }

  goOn(): void {
    this.#standsUntil = -Infinity
  }

  die(): void {
    this.isDead = true
    this.time.forget(this)
  }

  #later(what: string, ms: number, run: () => void): () => void {
    if (this.isDead) return () => {}
    return this.time.add({ process: this, what, at: this.time.ms + ms, run })
  }
}
