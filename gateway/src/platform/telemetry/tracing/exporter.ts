import type { Logger } from 'pino'

import { BatchQueue } from '../../batching/batch-queue'
import { WaitingList } from '../../batching/waiting-list'
import { messageOf } from '../../text/message-of'
import { within, type Timers } from '../../time/timers'
import type { Span } from './otlp'

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly encode: (spans: readonly Span[]) => string
  readonly log: Logger
  readonly onDropped: (count: number) => void
  readonly intervalMs: number
  readonly timers: Timers
}

/** A few megabytes. */
const maxWaiting = 4096
const maxAtOnce = 512
const timeoutMs = 5000
const closeTimeoutMs = 3000

/**
 * Sends spans in batches to a collector. While it is away spans wait, the oldest of too many are dropped and counted, and no
 * call waits for it.
 */
export class Exporter {
  readonly #options: ExporterOptions
  readonly #list: WaitingList<Span>
  readonly #queue: BatchQueue<Span>
  #isClosing = false
  #isRefused = false

  constructor(options: ExporterOptions) {
    const { log, onDropped, intervalMs, timers } = options
    this.#options = options
    this.#list = new WaitingList<Span>({ maxEntries: maxWaiting, onDropped: ({ length }) => onDropped(length) })
    this.#queue = new BatchQueue<Span>({
      source: this.#list,
      write: (batch) => this.#write(batch),
      maxAtOnce,
      gatherMs: intervalMs,
      backOff: { minMs: intervalMs, maxMs: intervalMs },
      timers,
      onFailure: (error, failures) => {
        if (failures === 1) this.#warn(messageOf(error))
      },
      onRecovered: () => log.info('traces reach their collector again'),
    })
  }

  add(spans: readonly Span[]): void {
    for (const span of spans) this.#list.add(span)
    this.#queue.wake()
  }

  /** Sends what waits, once. */
  async close(): Promise<void> {
    this.#isClosing = true
    await within(this.#options.timers, closeTimeoutMs, this.#queue.whenIdle(), undefined)
    void this.#queue.stop()
  }

  async #write(batch: readonly Span[]): Promise<void> {
    const failure = await post(this.#options, batch)
    if (failure && !failure.isLasting && !this.#isClosing) throw new Error(failure.reason)
    if (failure) this.#options.onDropped(batch.length)
    if (failure && !this.#isRefused) this.#warn(failure.reason)
    this.#isRefused = failure !== null
  }

  #warn(reason: string): void {
    this.#options.log.warn({ reason }, 'traces do not reach their collector')
  }
}

interface Failed {
  readonly reason: string
  /** Sending it again would fail again. */
  readonly isLasting: boolean
}

/** Null when the collector took them. */
async function post({ url, headers, fetch, encode }: ExporterOptions, batch: readonly Span[]): Promise<Failed | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: encode(batch),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return null
    const isLasting = response.status < 500 && response.status !== 429 && response.status !== 408
    return { reason: `status ${response.status}`, isLasting }
  } catch (error) {
    // Its message may contain the address with its credentials.
    return { reason: error instanceof Error ? error.name : 'unknown', isLasting: false }
  }
}
