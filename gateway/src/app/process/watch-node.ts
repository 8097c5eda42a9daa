import { hostname } from 'node:os'

import { formatBytes, storedPhrase, type OperatorEventKind } from '@tollgate/contract'

import type { Context } from '../../context'
import { reportEventAlone, type EventFacts } from '../../platform/telemetry/events/report-event'
import { nodeProblem, type Readiness } from '../../http/health-routes'
import { freeBytesOf, scarceBytes } from '../../operations/check-folder'

type Deps = Pick<Context, 'clock' | 'config' | 'database' | 'databaseWatch' | 'ledger' | 'log'>

interface NodeDeps {
  readonly nodeId: string
  readonly readiness: Pick<Readiness, 'isReady' | 'isDraining'>
  readonly freeBytes?: (folder: string) => number
}

const pollIntervalMs = 15_000
/** Shorter outages, as of a database that restarts, are not reported. */
const noticeableMs = 15_000

type Kind = Extract<OperatorEventKind, 'disk-low' | 'node-not-ready' | 'charges-set-aside'>

/**
 * Looks whether this node is able to serve, and reports what is wrong once for each time it begins. What cannot be written now, as the disk
 * is full or the database is away, is reported when it can.
 */
export class NodeWatch {
  readonly #found = new Set<Kind>()
  readonly #unreported = new Map<Kind, EventFacts>()
  #awaySince: number | null = null

  constructor(
    private readonly deps: Deps,
    private readonly node: NodeDeps,
  ) {}

  async poll(): Promise<void> {
    this.#note('disk-low', this.#disk())
    this.#note('charges-set-aside', this.#setAside())
    this.#note('node-not-ready', this.#problem())
    this.#noteDatabase()
    for (const [kind, facts] of this.#unreported) {
      await reportEventAlone(this.deps, { kind, subject: this.node.nodeId, facts })
      this.#unreported.delete(kind)
    }
  }

  #note(kind: Kind, facts: Omit<EventFacts, 'name'> | null): void {
    if (facts && !this.#found.has(kind)) this.#unreported.set(kind, { name: hostname(), ...facts })
    if (facts) this.#found.add(kind)
    else this.#found.delete(kind)
  }

  #disk() {
    const { freeBytes = freeBytesOf } = this.node
    const free = freeBytes(this.deps.config.dataDir)
    // Once low, it must have clearly more: a file that comes and goes is not reported each time.
    return free < scarceBytes * (this.#found.has('disk-low') ? 1.2 : 1) ? { amount: formatBytes(free) } : null
  }

  #setAside() {
    const { setAsideFiles } = this.deps.ledger.stats()
    return setAsideFiles > 0 ? { amount: String(setAsideFiles) } : null
  }

  #problem() {
    const { readiness } = this.node
    const problem = nodeProblem(this.deps)
    // Of the database an outage is noted when it is over.
    if (problem !== null && problem !== 'database') return { reason: storedPhrase(`node.${problem}`) }
    return readiness.isReady || readiness.isDraining ? null : { reason: storedPhrase('node.secrets') }
  }

  /** An outage can be reported only when it is over. */
  #noteDatabase(): void {
    const now = this.deps.clock.monotonic()
    if (!this.deps.databaseWatch.isResponding) this.#awaySince ??= now
    else if (this.#awaySince !== null) {
      const lasted = now - this.#awaySince
      this.#awaySince = null
      const reason = storedPhrase('node.database', { seconds: Math.round(lasted / 1000) })
      if (lasted >= noticeableMs) this.#unreported.set('node-not-ready', { name: hostname(), reason })
    }
  }
}

/** Watches this node. Returns a function that ends it. */
export function watchNode(ctx: Context, node: NodeDeps): () => void {
  const watch = new NodeWatch(ctx, node)
  let isLooking = false
  return ctx.timers.every(pollIntervalMs, () => {
    if (isLooking) return
    isLooking = true
    watch
      .poll()
      .catch((error: unknown) => ctx.log.debug({ error }, 'an event of this node is reported later'))
      .finally(() => (isLooking = false))
  })
}
