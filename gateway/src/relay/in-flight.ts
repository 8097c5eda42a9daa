/** Counts the calls being answered, so that a stopping worker knows when it may go. */
export interface InFlight {
  readonly count: number
  /** A call began. The returned function ends it; a second time it does nothing. */
  enter(): () => void
  /** Resolves when nothing is in flight (true) or the time is over (false). */
  whenIdle(timeoutMs: number): Promise<boolean>
  /** The upstream calls that are under way: each stops one. */
  readonly upstreams: Set<StopUpstream>
}

export type StopUpstream = (reason: 'shutdown') => void

export function createInFlight(): InFlight {
  let count = 0
  let waiting: (() => void)[] = []

  function leave() {
    count -= 1
    if (count > 0) return
    const resolvers = waiting
    waiting = []
    for (const resolve of resolvers) resolve()
  }

  return {
    upstreams: new Set(),
    get count() {
      return count
    },
    enter() {
      count += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        leave()
      }
    },
    whenIdle(timeoutMs) {
      if (count === 0) return Promise.resolve(true)
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), timeoutMs)
        waiting.push(() => {
          clearTimeout(timer)
          resolve(true)
        })
      })
    },
  }
}
