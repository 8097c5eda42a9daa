import type { FullWindow } from '../../billing/ledger/ledger'
import { UpstreamError } from '../../channels/calls/upstream-error'
import type { Choice } from '../../channels/catalog/catalog'
import { NoSlotError } from '../../channels/slots/slots'
import type { FrontPlace } from '../../channels/slots/window-lines'
import type { Context } from '../../context'
import type { RouteRequest } from '../stages/route'

/** The channel, or the key, was not called as one of its windows is full. Others may be. */
export interface Skipped {
  readonly kind: 'full'
  readonly choice: Choice
  readonly full: FullWindow
}

type FullChannelsDeps = Pick<Context, 'clock' | 'health' | 'metrics'>

/**
 * The channels of a call that have no room in their windows. Where that is all of them, the call waits in the queue of the first with too many
 * calls at the same time: those end, while other windows begin anew when they do.
 */
export class FullChannels {
  /** The one that has room first. */
  #first: Skipped | null = null
  #crowded: Skipped | null = null
  #front: { readonly place: FrontPlace; readonly channelId: number } | null = null

  constructor(
    private readonly request: Pick<RouteRequest, 'departure' | 'deadline'>,
    private readonly deps: FullChannelsDeps,
  ) {}

  /** The one that has room first; null: none was skipped. */
  get first(): Skipped | null {
    return this.#first
  }

  add(skipped: Skipped): void {
    this.deps.metrics.countWindowSkip(skipped.choice.channel.id)
    if (this.#first === null || freeAtOf(skipped) < freeAtOf(this.#first)) this.#first = skipped
    if (skipped.full.window.measure === 'concurrent') this.#crowded ??= skipped
  }

  /** Returns whether the call is the first of those that wait for room at a channel. */
  isInFrontOf({ id }: Choice['channel']): boolean {
    return this.#front?.channelId === id
  }

  /** Resolves with null when it is worth trying all channels once more; otherwise with what the call ends with. */
  async waitForRoom(skipped: Skipped): Promise<UpstreamError | null> {
    const crowded = this.#crowded
    try {
      const mayLook = crowded !== null && (await this.#mayLook(crowded))
      if (!mayLook) return this.#busy(skipped.full)
    } catch (cause) {
      if (!(cause instanceof NoSlotError)) throw cause
      this.deps.metrics.countWait(cause.why)
      if (cause.why !== 'gone') return this.#busy(skipped.full)
      return new UpstreamError({ fault: 'abandoned', status: 499, message: 'The client left', cause })
    }
    this.#first = null
    this.#crowded = null
    return null
  }

  /** @throws NoSlotError */
  async #mayLook({ choice: { channel }, full }: Skipped): Promise<boolean> {
    const { departure, deadline } = this.request
    if (this.#front === null) {
      const wait = { signal: departure.signal, deadline }
      const place = await this.deps.health.windowLines.enter({ channel, full }, wait)
      this.#front = { channelId: channel.id, place }
    }
    const mayLook = await this.#front.place.untilNextPoll()
    if (!mayLook) this.deps.metrics.countWait('late')
    return mayLook
  }

  #busy({ window, freeAt }: FullWindow): UpstreamError {
    return new UpstreamError({
      fault: 'busy',
      status: 503,
      message: `The window "${window.name}" is full`,
      ...(freeAt !== null && { retryAfterSeconds: Math.max(1, freeAt - this.deps.clock.seconds()) }),
    })
  }

  /** Called when the call has room. */
  enter(): void {
    if (this.#front) this.deps.metrics.countWait('served')
    this.leaveQueue()
  }

  leaveQueue(): void {
    this.#front?.place.leave()
    this.#front = null
  }
}

const freeAtOf = ({ full: { freeAt } }: Skipped): number => freeAt ?? Infinity
