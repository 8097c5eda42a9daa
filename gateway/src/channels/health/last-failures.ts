import type { channelRoutes } from '@tollgate/contract'

type Failure = channelRoutes.ChannelFailure

/** The capacity; beyond it the oldest are dropped. */
const mostFailures = 10_000
const longestMessage = 300

/** The latest failure of each channel and key, in this worker's memory: an operator sees it without searching the log. */
export interface LastFailures {
  note(channelId: number, key: string, failure: Failure): void
  readonly byChannel: ReadonlyMap<number, Failure>
  /** By the names that `keyName` returns. */
  readonly byKey: ReadonlyMap<string, Failure>
}

export function createLastFailures(): LastFailures {
  const byChannel = new Map<number, Failure>()
  const byKey = new Map<string, Failure>()
  return {
    byChannel,
    byKey,
    note(channelId, key, failure) {
      const kept = { ...failure, message: failure.message.slice(0, longestMessage) }
      put(byChannel, channelId, kept)
      put(byKey, key, kept)
    },
  }
}

/** Moves the latest failure to the end, so that the first entry is the one to drop. */
function put<Name>(all: Map<Name, Failure>, name: Name, failure: Failure): void {
  all.delete(name)
  all.set(name, failure)
  if (all.size <= mostFailures) return
  for (const oldest of all.keys()) {
    all.delete(oldest)
    return
  }
}
