const remembered = Number(process.env['SIMULATION_TRAIL'] ?? 50)

/** The latest events, for the message of a failed simulation. */
export class Trail {
  step = 0
  #last: (readonly [number, string, readonly unknown[]])[] = []

  add(what: string, ...details: readonly unknown[]): void {
    this.#last.push([this.step, what, details])
    if (this.#last.length > remembered * 4) this.#last = this.#last.slice(-remembered)
  }

  toString(): string {
    return this.#last
      .slice(-remembered)
      .map(([step, what, details]) => `  ${step} ${what} ${details.length > 0 ? JSON.stringify(details) : ''}`)
      .join('\n')
  }
}
