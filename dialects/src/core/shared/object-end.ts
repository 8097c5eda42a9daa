/** Finds where a JSON object ends that arrives in pieces. Each character is looked at once. */
export class ObjectEnd {
  #state: 'before' | 'inside' | 'reached' | 'none' = 'before'
  #depth = 0
  #isInText = false
  #isEscaped = false

  /** The object has been closed. False for a text that does not begin with an object. */
  get isReached(): boolean {
    return this.#state === 'reached'
  }

  take(piece: string): void {
    const begin = this.#state === 'before' ? piece.search(/\S/) : 0
    if (begin < 0 || this.#state === 'reached' || this.#state === 'none') return
    if (this.#state === 'before') this.#state = piece[begin] === '{' ? 'inside' : 'none'
    for (let at = begin; at < piece.length && this.#state === 'inside'; at += 1) this.#step(piece[at])
  }

  #step(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isInText) {
      this.#isEscaped = character === '\\'
      this.#isInText = character !== '"'
    } else if (character === '"') this.#isInText = true
    else if (character === '{') this.#depth += 1
    else if (character === '}') {
      this.#depth -= 1
      if (this.#depth === 0) this.#state = 'reached'
    }
  }
}
