import { isObject, type JsonObject } from '../json'
import { textOf } from '../neutral/read'
import { member } from './members'
import { PartialArgs } from './partial-args'

/** Whether a part tells of a call piece by piece: it holds pieces of arguments, or more will follow. */
export const isPartial = (call: JsonObject): boolean =>
  member(call, 'willContinue') === true || member(call, 'partialArgs') !== undefined

/** Whether a part goes on with a call: only its first part names the function. */
export const isContinuation = (call: JsonObject): boolean => textOf(call['name']) === '' && !isObject(call['args'])

/**
 * A call that comes in several parts: the first has the name, the last does not say that more follows, or says nothing at all.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export class PartialCall {
  readonly id: string
  readonly name: string
  #signature: string
  #isOver = false
  readonly #args = new PartialArgs()

  constructor(first: JsonObject, signature: string) {
    this.id = textOf(first['id'])
    this.name = textOf(first['name'])
    this.#signature = signature
    this.take(first, signature)
  }

  get signature(): string {
    return this.#signature
  }

  /** The part that says so came. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Some followers repeat the name in each part: then the id tells that it is the same call. */
  continuesWith(call: JsonObject): boolean {
    const id = textOf(call['id'])
    return (id !== '' && id === this.id) || (isContinuation(call) && (id === '' || this.id === ''))
  }

  take(part: JsonObject, signature: string): void {
    this.#args.take(part)
    this.sign(signature)
    this.#isOver = member(part, 'willContinue') !== true && !this.#args.isOpen
  }

  sign(signature: string): void {
    if (signature !== '') this.#signature = signature
  }

  args(): JsonObject {
    return this.#args.value()
  }
}
