import type { WorkersMetrics } from '../metrics/metrics-route'
import type { Reading } from '../metrics/series'
import type { SupervisorMessage, WorkerMessage } from './orders'

/** A worker that does not answer in this time is left out. */
const patienceMs = 1000

/** The worker's side: asks the supervisor for everybody's metrics, and answers with its own when asked. */
export function askSupervisor(own: WorkersMetrics): WorkersMetrics {
  const waiting = new Map<number, (values: readonly (readonly Reading[])[]) => void>()
  let questions = 0
  const tell = (message: WorkerMessage) => process.send?.(message)
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'metrics-of-all') waiting.get(message.question)?.(message.values)
    else if (message.kind === 'metrics-wanted')
      void own().then(([values = []]) => tell({ kind: 'metrics', question: message.question, values }))
  })
  return async () => {
    const question = (questions += 1)
    const { promise, resolve } = Promise.withResolvers<readonly (readonly Reading[])[]>()
    const timer = setTimeout(() => void own().then(resolve), 2 * patienceMs)
    waiting.set(question, resolve)
    tell({ kind: 'metrics-wanted', question })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      waiting.delete(question)
    }
  }
}

interface Worker {
  send(message: SupervisorMessage): void
}

/** The supervisor's side: asks all workers when one of them wants to know. */
export class MetricsExchange {
  readonly #open = new Map<number, { values: (readonly Reading[])[]; missing: number; done: () => void }>()
  #questions = 0

  constructor(
    /** What the supervisor itself tells. */
    private readonly own: () => readonly Reading[],
  ) {}

  /** Collect from all and tell the one who asked. */
  async collect(workers: readonly Worker[], asker: Worker, question: number): Promise<void> {
    const own = (this.#questions += 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const round = { values: [this.own()], missing: workers.length, done: resolve }
    this.#open.set(own, round)
    const timer = setTimeout(resolve, patienceMs)
    for (const worker of workers) worker.send({ kind: 'metrics-wanted', question: own })
    await promise
    clearTimeout(timer)
    this.#open.delete(own)
    asker.send({ kind: 'metrics-of-all', question, values: round.values })
  }

  /** One worker answered. */
  take(question: number, values: readonly Reading[]): void {
    const round = this.#open.get(question)
    if (!round) return
    round.values.push(values)
    round.missing -= 1
    if (round.missing <= 0) round.done()
  }
}
