import type { InFlight } from '../relay/in-flight'

/** Between two looks. */
const lookMs = 2000
/** Less is not worth the pause. */
const worthBytes = 32 * 1024 * 1024

export interface MemoryParts {
  readonly inFlight: Pick<InFlight, 'count'>
  readonly residentBytes: () => number
  /** Stops everything for some ten milliseconds. */
  readonly collect: () => void
  /** The same, and forgets what was compiled. */
  readonly shrink: () => void
}

/**
 * What starting took of memory is given back at the first look, unless calls are served already. What a burst of calls left is
 * given back when it is over: the runtime by itself keeps it until the next one.
 * The returned function looks whether it is time: when nothing is in flight now, nor was at the last look.
 */
export function memoryLook({ inFlight, residentBytes, collect, shrink }: MemoryParts): () => void {
  let least = residentBytes()
  let wasQuiet = false
  let isFirst = true
  return () => {
    const isQuiet = inFlight.count === 0
    // Later it would forget the code of the calls, too.
    if (isFirst && isQuiet) shrink()
    isFirst = false
    if (isQuiet && wasQuiet) {
      const resident = residentBytes()
      if (resident < least + worthBytes) least = Math.min(least, resident)
      else {
        collect()
        least = residentBytes()
      }
    }
    wasQuiet = isQuiet
  }
}

/** Look every other second until the process ends. */
export function giveBackMemory(inFlight: InFlight): void {
  const look = memoryLook({
    inFlight,
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(true),
    shrink: () => Bun.shrink(),
  })
  setInterval(look, lookMs).unref()
}
