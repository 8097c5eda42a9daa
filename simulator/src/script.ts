import type { Behaviour } from './behaviour'
import type { RecordedRequest } from './record'

interface Rule {
  readonly matches: (request: RecordedRequest) => boolean
  readonly behaviour: Behaviour
}

/** What a test asked for: behaviours for the next requests, and rules for those that match. */
export class Script {
  readonly #next: Behaviour[] = []
  readonly #rules: Rule[] = []
  readonly #matched = new Map<unknown, number>()

  next(behaviour: Behaviour): void {
    this.#next.push(behaviour)
  }

  when(matches: Rule['matches'], behaviour: Behaviour): () => void {
    const rule = { matches, behaviour }
    this.#rules.unshift(rule)
    return () => {
      const at = this.#rules.indexOf(rule)
      if (at >= 0) this.#rules.splice(at, 1)
    }
  }

  /** The script's word on a request: the queue first, unless it is made aside, then the youngest rule that matches. */
  take(request: RecordedRequest, isAside: boolean): Behaviour {
    const queued = isAside ? undefined : this.#next.shift()
    if (queued) return queued
    const rule = this.#rules.find((rule) => rule.matches(request))
    return rule ? this.onlyEvery(rule.behaviour, rule) : {}
  }

  /** Leave the fault out but for each n-th time the same thing asks for it. */
  onlyEvery(behaviour: Behaviour, asker: unknown): Behaviour {
    if (!behaviour.every) return behaviour
    const count = (this.#matched.get(asker) ?? 0) + 1
    this.#matched.set(asker, count)
    return count % behaviour.every === 0 ? behaviour : { ...behaviour, fault: undefined }
  }

  clear(): void {
    this.#next.length = 0
    this.#rules.length = 0
    this.#matched.clear()
  }
}
