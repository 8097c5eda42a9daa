import type { Catalog } from '../../channels/catalog/catalog'
import type { CallOwner } from '../../channels/calls/running-attempts'

/** A session that lasts for many responses. */
export interface LiveSession {
  readonly owner: CallOwner
  /** Lets the response that runs end, and then the session: the gateway stops. */
  drain(): void
  /** Takes over the limits of the catalog, and ends the session likewise where its channel is not enabled any more. */
  follow(catalog: Catalog): void
}

/** The sessions of this worker. */
export class LiveSessions {
  readonly #all = new Set<LiveSession>()

  add(session: LiveSession): void {
    this.#all.add(session)
  }

  /** Removes a session that is over; removing it again does nothing. */
  remove(session: LiveSession): void {
    this.#all.delete(session)
  }

  countOf(isMeant: (owner: CallOwner) => boolean): number {
    let count = 0
    for (const { owner } of this.#all) if (isMeant(owner)) count += 1
    return count
  }

  drain(): void {
    for (const session of this.#all) session.drain()
  }

  follow(catalog: Catalog): void {
    for (const session of this.#all) session.follow(catalog)
  }
}
