import type { LastFailure } from './health-reading'

/** More are not remembered: the oldest is forgotten. */
const mostFailures = 10_000
const longestMessage = 300

/** The latest failure of each channel and key, in this worker's memory: an operator sees it without searching the log. */
export interface LastFailures {
  note(channelId: number, key: string, failure: LastFailure): void
  readonly byChannel: ReadonlyMap<number, LastFailure>
  /** By the names that `keyName` gives. */
  readonly byKey: ReadonlyMap<string, LastFailure>
}

export function createLastFailures(): LastFailures {
  const byChannel = new Map<number, LastFailure>()
  const byKey = new Map<string, LastFailure>()
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

/** The latest stands last, so that the first is the one to forget. */
function put<Name>(all: Map<Name, LastFailure>, name: Name, failure: LastFailure): void {
  all.delete(name)
  all.set(name, failure)
  if (all.size <= mostFailures) return
  for (const oldest of all.keys()) {
    all.delete(oldest)
    return
  }
}
