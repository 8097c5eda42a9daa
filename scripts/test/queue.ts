import { kindOf, kinds, type Kind } from './kinds'

/** Test files of one kind for one process. */
export interface Share {
  readonly kind: Kind
  readonly files: readonly string[]
}

/** The least that is worth a process, which loads half a second of modules, or a browser. */
const minSeconds = 8
/** How much of an even share of what is left a process takes. */
const part = 1 / 2

/** Hands out test files to processes that run side by side: large shares at first, small ones at the end, so that all end together. */
export class Queue {
  readonly #waiting = new Map<Kind, string[]>(kinds.map((kind) => [kind, []]))
  readonly #processes: number

  constructor(files: readonly string[], processes: number) {
    this.#processes = processes
    this.add(files)
  }

  add(files: readonly string[]): void {
    for (const file of files) this.#waiting.get(kindOf(file))?.push(file)
  }

  get isEmpty(): boolean {
    return [...this.#waiting.values()].every((files) => files.length === 0)
  }

  /** Returns the next share of a kind that is ready; undefined when there is none. */
  take(isReady: (kind: Kind) => boolean): Share | undefined {
    for (const [kind, files] of this.#waiting) {
      if (files.length === 0 || !isReady(kind)) continue
      const seconds = Math.max(minSeconds, (this.#secondsLeft() / this.#processes) * part)
      const count = kind.isOneShare ? files.length : Math.max(1, Math.round(seconds / kind.secondsPerFile))
      const restSeconds = (files.length - count) * kind.secondsPerFile
      return { kind, files: files.splice(0, restSeconds < minSeconds ? files.length : count) }
    }
    return undefined
  }

  #secondsLeft(): number {
    return [...this.#waiting].reduce((sum, [{ secondsPerFile }, { length }]) => sum + secondsPerFile * length, 0)
  }
}
