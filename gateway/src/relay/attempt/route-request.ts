import type { Service } from '@tollgate/providers'

import type { Catalog } from '../../channels/catalog/catalog'
import type { Excluded } from '../../channels/routing/keys'
import type { Caller } from '../call'
import type { Departure } from '../departure'

/** A model that a caller requests. */
export interface WantedModel {
  readonly caller: Pick<Caller, 'group' | 'pinnedChannelId'>
  readonly catalog: Catalog
  /** As the caller names it. */
  readonly model: string
  readonly mode: Service
}

export interface RouteRequest extends WantedModel {
  readonly promptTokens: number
  readonly departure: Pick<Departure, 'isGone' | 'signal'>
  /** Monotonic time at which the total timeout of the call ends. */
  readonly deadline: number
  /** Channels that have no price for this call. */
  readonly unpriced?: ReadonlySet<number>
  /** Channels and keys of other accounts than those that hold what the call names. */
  readonly excluded?: Excluded | undefined
  /** All others than those that should serve the call; they are tried when these have failed. */
  readonly elsewhere?: Excluded | null | undefined
}
