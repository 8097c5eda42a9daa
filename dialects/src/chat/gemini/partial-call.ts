import { isObject, type JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'
import { listOf, member, memberObject } from '../../core/shared/google-members'
import { PartialArgs } from './partial-args'

/** Whether a part belongs to a call that is streamed: it holds partial arguments, or announces more. */
export const isPartial = (call: JsonObject): boolean =>
  member(call, 'willContinue') === true || member(call, 'partialArgs') !== undefined

/** Whether a part continues a call: only the first part names the function. */
export const isContinuation = (call: JsonObject): boolean =>
  textOf(call['name']) === '' && (call['args'] === undefined || call['args'] === null)

/**
 * A call that arrives in several parts: the first has the name, the last does not announce more, or is empty.
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

  /** The closing part arrived. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Some compatible hosts repeat the name in each part: then the id identifies the call. */
  continuesWith(call: JsonObject): boolean {
    const id = textOf(call['id'])
    return (id !== '' && id === this.id) || (isContinuation(call) && (id === '' || this.id === ''))
  }

  take(part: JsonObject, signature: string): void {
    this.#args.take(part)
    this.sign(signature)
    this.#isOver = member(part, 'willContinue') !== true && !this.#args.isOpen
  }

  /** Called when something else was said: the closing part may be missing. */
  mayBeOver(): void {
    this.#isOver = true
  }

  sign(signature: string): void {
    if (signature !== '') this.#signature = signature
  }

  args(): JsonObject {
    return this.#args.value()
  }
}

/** Returns contents in which each call that a client sends back in parts is one part. */
export function withWholeCalls(contents: readonly JsonObject[]): readonly JsonObject[] {
  const isAnyPartial = contents.some((content) =>
    listOf(content['parts']).some((part) => isPartial(memberObject(part, 'functionCall'))),
  )
  if (!isAnyPartial) return contents
  const reader = new PartsReader()
  // Calls are complete only when all contents have been read.
  const read = contents.map((content) => ({ content, parts: reader.read(listOf(content['parts'])) }))
  return read.map(({ content, parts }) => ({ ...content, parts: parts.map((part) => wholeOf(part)) }))
}

class PartsReader {
  #open: PartialCall | null = null

  read(parts: readonly JsonObject[]): (JsonObject | PartialCall)[] {
    return parts.map((part) => this.#part(part)).filter((part) => part !== null)
  }

  /** Null for a part that is joined into another one. */
  #part(part: JsonObject): JsonObject | PartialCall | null {
    const call = member(part, 'functionCall')
    if (!isObject(call)) return part
    const signature = textOf(member(part, 'thoughtSignature'))
    if (this.#open?.continuesWith(call)) {
      this.#open.take(call, signature)
      return null
    }
    if (!isPartial(call)) return isContinuation(call) ? null : part
    this.#open = new PartialCall(call, signature)
    return this.#open
  }
}

const wholeOf = (part: JsonObject | PartialCall): JsonObject => (part instanceof PartialCall ? wholePart(part) : part)

const wholePart = (call: PartialCall): JsonObject => ({
  functionCall: { ...(call.id !== '' && { id: call.id }), name: call.name, args: call.args() },
  ...(call.signature !== '' && { thoughtSignature: call.signature }),
})
