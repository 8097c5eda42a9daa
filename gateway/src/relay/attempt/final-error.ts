import { serves } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import { lacksModel } from '../../channels/calls/classify-failure'
import type { UpstreamError } from '../../channels/calls/upstream-error'
import type { Choice } from '../../channels/catalog/catalog'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import { noRouteError, type RouteRequest } from '../stages/route'

interface Failure {
  readonly kind: 'failed' | 'no-slot'
  readonly choice: Choice
  readonly error: UpstreamError
}

/** Decides which of the failures of a call its client is told. */
export class FinalError {
  /** A failed attempt is more informative than a channel that was full after it. */
  #last: UpstreamError | null = null
  /** The last one that says anything else than that a channel's upstream lacks the model. */
  #other: UpstreamError | null = null
  readonly #tried = new Set<number>()

  add({ kind, error, choice }: Failure): void {
    this.#tried.add(choice.channel.id)
    if (kind === 'failed' || this.#last === null) this.#last = error
    if (!lacksModel(error)) this.#other = error
  }

  /**
   * Returns the last failure. That an upstream lacks the model is not told where another channel may have it; the words are ours, as the
   * upstream's name the model as it is called there.
   */
  of(request: RouteRequest): AppError | UpstreamError {
    if (this.#last === null) return noRouteError(request)
    if (!lacksModel(this.#last)) return this.#last
    if (this.#other !== null) return this.#other
    const params = { model: request.model, group: request.caller.group }
    return new AppError(this.#isTriedEverywhere(request) ? 'model.absent' : 'route.no_channel', { params })
  }

  #isTriedEverywhere({ caller, catalog, model, mode }: RouteRequest): boolean {
    if (caller.pinnedChannelId !== null) return true
    const candidates = priorityLevelsOf(catalog, caller.group, model).flatMap((level) => level.candidates)
    return candidates.every(
      ({ channel }) => this.#tried.has(channel.id) || !channel.isEnabled || !serves(channel.provider, mode),
    )
  }
}
