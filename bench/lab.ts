import { rmSync } from 'node:fs'

import { startFixedUpstream, type FixedUpstream } from '@tollgate/simulator'

import type { Cores } from './processes'
import { reconcile } from './reconcile'
import type { Ground, Starter, Target } from './targets'

/** Whether what was measured counts. */
export interface Verdict {
  /** Through gateways with books. */
  readonly calls: number
  /** What their books and the upstream disagree about. */
  readonly wrong: readonly string[]
}

const quietTimeoutMs = 30_000

interface Tally {
  calls: number
  aborted: number
  failures: number
  completionTokens: number
}

/** An upstream, the targets before it, and a count of what was served through which. */
export class Lab implements AsyncDisposable {
  readonly #tallies = new Map<Target, Tally>()
  #isStopped = false

  private constructor(
    readonly upstream: FixedUpstream,
    readonly targets: readonly Target[],
  ) {}

  /** `tokens`: how long the answers of its upstream are. */
  static async open(cores: Cores, starters: readonly Starter[], tokens = 40): Promise<Lab> {
    const upstream = startFixedUpstream({ tokens })
    const ground: Ground = { upstream, cores }
    const targets: Target[] = []
    const lab = new Lab(upstream, targets)
    try {
      for (const start of starters) {
        const target = await start(ground)
        if (target) targets.push(target)
      }
      return lab
    } catch (error) {
      await lab[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Put load on one target, and on no other meanwhile: what the upstream serves until it is over is this target's. */
  async count<Result extends { readonly failures: number }>(
    target: Target,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#countServed()
    const result = await work()
    await this.#untilQuiet()
    const after = this.#countServed()
    const tally = this.#tallyOf(target)
    tally.calls += after.calls - before.calls
    tally.aborted += after.aborted - before.aborted
    tally.completionTokens += after.completionTokens - before.completionTokens
    tally.failures += result.failures
    return result
  }

  /** Put load on a target that answers each call itself, with a stored response of the upstream. */
  async countReplayed<Result extends { readonly calls: number; readonly failures: number }>(
    target: Target,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const result = await this.count(target, work)
    const tally = this.#tallyOf(target)
    tally.calls += result.calls
    tally.completionTokens += result.calls * this.upstream.tokens
    return result
  }

  /** Stop everything and compare the books. */
  async close(): Promise<Verdict> {
    await this.#stop()
    let calls = 0
    const wrong: string[] = []
    for (const target of this.targets) {
      if (!target.books) continue
      const { dataDir, profile } = target.books
      const tally = this.#tallyOf(target)
      const promptTokens = tally.calls * this.upstream.promptTokens
      const found = await reconcile(dataDir, profile, { ...tally, promptTokens })
      calls += tally.calls
      wrong.push(...found.map((what) => `${target.name}: ${what}`))
    }
    return { calls, wrong }
  }

  /** Stop what still runs, and remove all that was left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop()
    for (const { books } of this.targets) if (books) rmSync(books.dataDir, { recursive: true, force: true })
  }

  async #stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    for (const target of this.targets) await target.stop()
    await this.upstream.stop()
  }

  #tallyOf(target: Target): Tally {
    const known = this.#tallies.get(target)
    if (known) return known
    const tally = { calls: 0, aborted: 0, failures: 0, completionTokens: 0 }
    this.#tallies.set(target, tally)
    return tally
  }

  #countServed() {
    const { whole, streams, aborted, completionTokens } = this.upstream.served
    return { calls: whole + streams + aborted, aborted, completionTokens }
  }

  /** Streams abandoned by their clients are over once the upstream has noticed. */
  async #untilQuiet(): Promise<void> {
    const deadline = performance.now() + quietTimeoutMs
    while (this.upstream.inFlight > 0 && performance.now() < deadline) await Bun.sleep(5)
  }
}
