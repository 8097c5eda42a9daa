/** An input that grows with `size`. */
export interface HostileInput {
  readonly name: string
  /** Its smaller size; it is fed at twice that size too. */
  readonly size: number
  /** Its larger size is at a limit, where collecting its memory costs more than twice as much: only turns count. */
  readonly isAtLimit?: true
  /** Returns the work: what the gateway does with the input. It is made beforehand, and works once. */
  readonly make: (size: number) => (() => unknown) | Promise<() => unknown>
}

export const quietly = (work: () => unknown): void => {
  try {
    work()
  } catch {
    // What is refused has cost its time too.
  }
}

export function* times<Value>(count: number, make: (index: number) => Value): Generator<Value> {
  for (let index = 0; index < count; index += 1) yield make(index)
}

export const helloMessages = [{ role: 'user', content: 'hello' }]
