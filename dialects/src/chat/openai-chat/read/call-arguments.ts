import { ObjectEnd } from '../../../core/shared/object-end'

/** What cannot be the beginning of a key and its end: told again in a text, it would break that. */
const objectStart = /^\s*\{(?:\s*"[^":\s]|\s*$)/
const emptyObject = /^\s*\{\s*\}\s*$/
/** Where a value may follow, an object that begins like the one around it is told, and not all so far once more. */
const beforeValue = /[:[,]\s*$/

/**
 * The arguments of a call as its pieces tell them. Some hosts tell all so far in each piece, some tell all of it again at the end, and some
 * begin with an empty object in place of it. The free text of a custom tool is taken as it comes.
 */
export class CallArguments {
  #end = new ObjectEnd()
  #reported = ''
  /** Its pieces are known to tell all so far. */
  #repeats = false
  /** An empty object that is told at the end, unless more comes. */
  #standIn = ''

  constructor(private readonly isFreeText: boolean) {}

  /** Nothing more belongs to it. The free text of a custom tool has no end of its own. */
  get isWhole(): boolean {
    return !this.isFreeText && this.#end.isReached
  }

  /** Takes a piece. Returns what it adds to those before. */
  take(piece: string): string {
    if (this.isFreeText) return piece
    if (this.#end.isReached && !this.#isReplaced(piece)) return ''
    if (this.#reported === '' && emptyObject.test(piece)) return this.#standFor(piece)
    const more = this.#isAllSoFar(piece) ? piece.slice(this.#reported.length) : piece
    this.#end.take(more)
    this.#reported += more
    return more
  }

  /** Returns what is owed when no more comes. */
  rest(): string {
    const rest = this.#standIn
    this.#standIn = ''
    return rest
  }

  #standFor(piece: string): string {
    this.#standIn = piece
    this.#end.take(piece)
    return ''
  }

  #isReplaced(piece: string): boolean {
    if (this.#standIn === '' || piece.trim() === '') return false
    this.#standIn = ''
    this.#end = new ObjectEnd()
    return true
  }

  #isAllSoFar(piece: string): boolean {
    if (this.#reported === '' || piece.length < this.#reported.length || !piece.startsWith(this.#reported)) return false
    this.#repeats ||= objectStart.test(this.#reported) && !beforeValue.test(this.#reported)
    return this.#repeats
  }
}
