import type { channelRoutes } from '@tollgate/contract'

type Failure = channelRoutes.ChannelFailure

/** The capacity; beyond it the oldest are dropped. */
const maxFailures = 10_000
const maxMessageLength = 300

/** The latest failure of each channel and key, in this worker's memory: an operator sees it without searching the log. */
export class LastFailures {
  readonly #byChannel = new Map<number, Failure>()
  readonly #byKey = new Map<string, Failure>()

  note(channelId: number, key: string, failure: Failure): void {
    const stored = { ...failure, message: failure.message.slice(0, maxMessageLength) }
    put(this.#byChannel, channelId, stored)
    put(this.#byKey, key, stored)
  }

  get byChannel(): ReadonlyMap<number, Failure> {
    return this.#byChannel
  }

  /** By the names that `keyName` returns. */
  get byKey(): ReadonlyMap<string, Failure> {
    return this.#byKey
  }
}

/** Moves the latest failure to the end, so that the first entry is the one to drop. */
function put<Name>(all: Map<Name, Failure>, name: Name, failure: Failure): void {
  all.delete(name)
  all.set(name, failure)
  if (all.size <= maxFailures) return
  for (const oldest of all.keys()) {
    all.delete(oldest)
    return
  }
}
