import type { ErrorView, StreamForm, StreamTap, Usage } from '@tollgate/dialects'

import { pour, type ByteReader } from '@tollgate/http-client'
import type { AttemptClocks } from '../../channels/calls/clocks'
import { stopAfter } from '../attempt/disconnect'
import type { Departure } from '../departure'
import type { StreamBudget } from './stream-budget'
import type { Timers } from '../../platform/time/timers'

export interface StreamDelivery {
  readonly reader: ByteReader
  /** What arrived through the tap before the channel was chosen for good. */
  readonly first: readonly Uint8Array[]
  readonly tap: StreamTap
  /** Null: forward events unchanged. */
  readonly form: StreamForm | null
  readonly clocks: AttemptClocks
  readonly timers: Timers
  /** The client may be gone before it begins to read. */
  readonly departure: Pick<Departure, 'isSentAway' | 'leave' | 'onGone'>
  /** Milliseconds between heartbeats; null: none. */
  readonly heartbeatMs: number | null
  /** Called when the client is gone. Returns for how many milliseconds the upstream is read on to learn its usage; 0: it is stopped. */
  readOnMs(): number
  /** Ends the stream when no more quota can be held for it. Null: its cost does not depend on its length. */
  readonly budget?: StreamBudget | null
  /** The number of choices requested. */
  readonly choices?: number
  readonly recording?: StreamRecording | undefined
  readonly contentType?: string | undefined
  /** Charges the usage and resolves with it. Called once, before the last bytes are sent. */
  settle(ending: StreamEnding): Promise<Usage | null>
  /** Called when all but the last bytes was sent. They wait for the promise that it returns. Absent: nothing is to be done. */
  readonly beforeLast?: (() => Promise<void> | undefined) | undefined
  /** Returns the event that tells the client that the stream broke off; null where there are no events: the connection is closed. */
  brokenEvent(): Uint8Array | null
  /** Returns whether the client may see the upstream's own message about its failure, and the events that contain it. */
  isShowable(error: ErrorView, events: Uint8Array): boolean
  /** Called when everything is over, whatever happened. */
  over(): void
}

/** Is told what the client gets, apart from heartbeats. */
export interface StreamRecording {
  add(bytes: Uint8Array): void
  /** Called when the last bytes were sent. */
  end(contentType: string): void
}

/**
 * `complete`: reached its end. `broken`: the upstream failed midway. `abandoned`: the client left. `revoked`: it was sent away.
 * `out-of-quota`: the balance did not pay for more.
 */
export type StreamEnding = 'complete' | 'broken' | 'abandoned' | 'revoked' | 'out-of-quota'

export const heartbeat = new TextEncoder().encode(': ping\n\n')

/** How long the end of the transfer may take after the last event. */
const tailMs = 1000

interface Client {
  /** A promise when the client reads more slowly than bytes arrive: the writer should wait for it. */
  write(bytes: Uint8Array): number | PromiseLike<number>
  end(): unknown
}

/**
 * Returns the body of a streamed response. It reads as fast as the client does, forwards the result of one read in one write, and charges
 * before the end is sent.
 */
export function deliverStream(delivery: StreamDelivery): ReadableStream<Uint8Array> {
  const { departure, form } = delivery
  const source = new StreamSource(delivery)
  departure.onGone(() => void source.abandon())
  return directStream({
    type: 'direct',
    pull(connection) {
      const client = delivery.recording ? withRecording(connection, delivery, delivery.recording) : connection
      return source.giveTo(form ? inForm(client, form) : client)
    },
    cancel: () => departure.leave(),
  })
}

/**
 * Returns a stream that writes to its connection directly: a queue in between would cost a frame as much as everything else. Specific to
 * the runtime (https://bun.com/docs/api/streams#direct-readablestream) and unknown to the web's types.
 */
const directStream = (source: Bun.DirectUnderlyingSource<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(source as unknown as UnderlyingDefaultSource<Uint8Array>)

const inForm = (client: Client, form: StreamForm): Client => ({
  write: (events) => client.write(form.push(events)),
  end() {
    void client.write(form.end())
    return client.end()
  },
})

const withRecording = (client: Client, { contentType = '' }: StreamDelivery, recording: StreamRecording): Client => ({
  write(bytes) {
    if (bytes !== heartbeat) recording.add(bytes)
    return client.write(bytes)
  },
  end() {
    const ended = client.end()
    recording.end(contentType)
    return ended
  },
})

/** Closes the connection, so that the client does not take what it received for the whole response. */
class BrokenTransfer extends Error {
  override readonly name = 'BrokenTransfer'
}

class StreamSource {
  /** The last bytes were sent. */
  #isOver = false
  #isAbandoned = false
  #isOutOfQuota = false
  /** After the client left: until the usage is known or the time for it is over. */
  #isReadOn = false
  #client: Client | null = null
  /** Set while the client has not read what was written; null: it has. */
  #taking: PromiseLike<unknown> | null = null
  /** Set while the database is asked for more quota and what is held is used up. */
  #quotaRequest: Promise<void> | null = null
  /** The rest of a read for which more quota may be needed. */
  #unread: Uint8Array | null = null
  #received: Promise<void> | null = null
  #settled: Promise<Usage | null> | null = null
  /** Resolved when the client is sent away: it does not wait for what the upstream still says. It may be before its response began. */
  readonly #sentAway = Promise.withResolvers<void>()

  constructor(private readonly delivery: StreamDelivery) {}

  /** Delivers the response until its end or until the client leaves. */
  async giveTo(client: Client): Promise<void> {
    this.#client = client
    let last: Uint8Array | null
    try {
      await Promise.race([this.#receiveWithHeartbeats(), this.#sentAway.promise])
      if (this.#isAbandoned && !this.delivery.departure.isSentAway) return
      last = this.#isAbandoned ? await this.#break() : await this.#end()
    } catch {
      last = await this.#break()
    }
    if (this.#isAbandoned && !this.delivery.departure.isSentAway) return
    if (last === null) throw new BrokenTransfer()
    if (last.byteLength > 0) void client.write(last)
    void client.end()
  }

  async #receiveWithHeartbeats(): Promise<void> {
    const { clocks, timers, heartbeatMs } = this.delivery
    if (heartbeatMs === null) return this.#receive()
    const stop = eachSilence(heartbeatMs, clocks, timers, () => {
      if (!this.#taking && !this.#isOver) this.#give(heartbeat)
    })
    await this.#receive().finally(stop)
  }

  #receive(): Promise<void> {
    this.#received ??= this.#receiveAll()
    return this.#received
  }

  /** Resolves when the response is over or no longer wanted. */
  async #receiveAll(): Promise<void> {
    const { clocks, reader, tap, first } = this.delivery
    clocks.touch()
    this.#give(joinBytes(...first))
    this.#isOver = tap.isDone
    this.#count(first.reduce((sum, { byteLength }) => sum + byteLength, 0))
    for (;;) {
      if (this.#taking) await this.#awaitClient(this.#taking)
      if (this.#quotaRequest) await this.#awaitQuota(this.#quotaRequest)
      if (this.#isOver || this.#isUnwanted()) return
      if (this.#unread) this.#takeRest(this.#unread)
      else if (await pour(reader, this.#take)) this.#takeEnd()
    }
  }

  #isUnwanted(): boolean {
    return this.#isAbandoned && !this.#isReadOn
  }

  /** Runs for every frame. @throws Error when the upstream failed with a message that must not be shown. */
  readonly #take = (bytes: Uint8Array): boolean => {
    if (this.#isUnwanted()) return false
    const { tap, clocks, budget } = this.delivery
    clocks.touch()
    if (budget && bytes.byteLength > budget.readable) {
      const size = wholeEventsIn(bytes, budget.readable)
      this.#unread = bytes.subarray(size)
      return this.#take(bytes.subarray(0, size))
    }
    const output = tap.push(bytes)
    this.#checkError(output)
    this.#give(output)
    this.#isOver = tap.isDone
    this.#count(bytes.byteLength)
    return !this.#isOver && this.#taking === null && this.#quotaRequest === null && this.#unread === null
  }

  #takeRest(bytes: Uint8Array) {
    this.#unread = null
    this.#take(bytes)
  }

  #count(bytes: number) {
    if (this.delivery.budget?.took(bytes) && !this.#isOver) this.#checkBudget(this.delivery.budget)
  }

  #checkBudget(budget: StreamBudget) {
    const verdict = budget.check()
    if (verdict === 'wait') this.#quotaRequest = budget.whenSettled
    if (verdict !== 'end') return
    this.delivery.tap.cut(this.delivery.choices ?? 1)
    this.#isOutOfQuota = true
    this.#isOver = true
  }

  /**
   * Some upstreams omit the empty line after their last event.
   * @throws Error when the upstream broke off or failed with a message that must not be shown.
   */
  #takeEnd() {
    const { tap, clocks } = this.delivery
    clocks.touch()
    tap.end()
    if (!tap.isFinished && !tap.error) throw new Error('The stream ended midway')
    this.#checkError(noBytes)
    this.#isOver = true
  }

  /** @throws Error when the upstream failed in words that the client may not see. */
  #checkError(events: Uint8Array) {
    if (!this.#isShowable(events)) throw new Error('The upstream failed midway')
  }

  #isShowable(events: Uint8Array): boolean {
    const { error } = this.delivery.tap
    return !error || this.delivery.isShowable(error, events)
  }

  #give(output: Uint8Array) {
    if (output.byteLength === 0 || this.#isAbandoned) return
    const written = this.#client?.write(output)
    if (typeof written === 'object') this.#taking = written
  }

  /** Waits for the client to read what was written, but no longer than the call may last: it must be charged in any case. */
  async #awaitClient(taking: PromiseLike<unknown>): Promise<void> {
    await this.#pauseFor(taking)
    this.#taking = null
  }

  /** Waits for more quota. The upstream is not to blame for the silence meanwhile. */
  async #awaitQuota(quotaRequest: Promise<void>): Promise<void> {
    await this.#pauseFor(quotaRequest)
    this.#quotaRequest = null
    this.#count(0)
  }

  /** Waits for something other than the upstream, until the call is stopped. */
  async #pauseFor(awaited: PromiseLike<unknown>): Promise<void> {
    const { clocks } = this.delivery
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    clocks.cancellation.onCancel(stop)
    clocks.pause()
    await Promise.race([awaited, stopped])
    clocks.cancellation.forget(stop)
    clocks.touch()
  }

  /** Charges before the end is sent. */
  async #end(): Promise<Uint8Array | null> {
    if (this.#isOutOfQuota) this.delivery.reader.cancel().catch(() => {})
    const usage = await this.#settle(this.#ending())
    this.#release()
    const last = this.delivery.tap.finish(usage)
    if (this.delivery.beforeLast) await this.delivery.beforeLast()
    return this.#isShowable(last) ? last : this.delivery.brokenEvent()
  }

  #ending(): StreamEnding {
    if (this.delivery.tap.error) return 'broken'
    return this.#isOutOfQuota ? 'out-of-quota' : 'complete'
  }

  /** Sends nothing that looks like an end, and charges what was received. */
  async #break(): Promise<Uint8Array | null> {
    if (this.#isAbandoned) return this.delivery.brokenEvent()
    this.#isOver = true
    try {
      await this.#settle('broken')
    } catch {
      // The charge itself failed and was logged there; the client learns that the response is incomplete.
    }
    this.#release()
    return this.delivery.brokenEvent()
  }

  /** Called when the client is gone. The upstream stops at once, or goes on for a while so that its usage is known. */
  async abandon(): Promise<void> {
    if (this.#isOver || this.#isAbandoned) return
    const readOnMs = this.delivery.readOnMs()
    this.#isReadOn = readOnMs > 0
    this.#isAbandoned = true
    const { isSentAway } = this.delivery.departure
    if (isSentAway) this.#sentAway.resolve()
    try {
      if (this.#isReadOn) await this.#drain(readOnMs)
      else this.delivery.clocks.stop('client')
      await this.#settle(isSentAway ? 'revoked' : 'abandoned')
    } catch {
      // It was logged where it failed, and the client is gone.
    } finally {
      this.#release()
    }
  }

  async #drain(milliseconds: number): Promise<void> {
    using _ = stopAfter(this.delivery.clocks, this.delivery.timers, milliseconds)
    try {
      await this.#receive()
    } catch {
      // The stream broke off: what was received so far is charged.
    }
  }

  #settle(ending: StreamEnding): Promise<Usage | null> {
    this.#settled ??= this.delivery.settle(ending)
    return this.#settled
  }

  #release() {
    const { clocks, timers, reader, tap } = this.delivery
    clocks.finish()
    if (tap.isDone && !tap.error) void readToEnd(reader, timers)
    else reader.cancel().catch(() => {})
    this.delivery.over()
  }
}

const noBytes = new Uint8Array()

/** Without a carriage return before it, and with one. */
const eventEnds = ['\n\n', '\n\r\n']

/** Returns how many of the first bytes are whole events, which are cheaper to read than parts; all of them where none ends. */
function wholeEventsIn(bytes: Uint8Array, maxBytes: number): number {
  for (const end of eventEnds) {
    const at = Buffer.prototype.lastIndexOf.call(bytes, end, maxBytes - end.length)
    if (at >= 0) return at + end.length
  }
  return maxBytes
}

/** What follows the last event is only the end of the transfer: once it is read, the connection can be reused. */
async function readToEnd(reader: ByteReader, timers: Timers): Promise<void> {
  const stopWaiting = timers.after(tailMs, () => void reader.cancel().catch(() => {}))
  try {
    while (!(await reader.read()).done);
  } catch {
    // The response is complete without it.
  } finally {
    stopWaiting()
  }
}

/** Calls `beat` after every interval without data. Returns a function that stops it. */
function eachSilence(
  milliseconds: number,
  clocks: Pick<AttemptClocks, 'silentMs'>,
  timers: Timers,
  beat: () => void,
): () => void {
  const check = () => {
    const leftMs = Math.ceil(milliseconds - clocks.silentMs)
    if (leftMs <= 0) beat()
    cancel = timers.after(leftMs <= 0 ? milliseconds : leftMs, check)
  }
  let cancel = timers.after(milliseconds, check)
  return () => cancel()
}

function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.byteLength > 0)
  const [only] = filled
  if (filled.length <= 1) return only ?? noBytes
  return Buffer.concat(filled)
}
