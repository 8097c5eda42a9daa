import { isObject, type JsonObject } from '../../../core/json'
import type { Message, Part, ThinkingPart, ToolResultPart } from '../../../core/neutral/call'
import { jsonTextOf, objectOf, textOf } from '../../../core/neutral/read'
import { listOf, member, memberList, memberObject } from '../../../core/shared/google-members'
import { carriedThoughts } from '../carried-thoughts'
import { dialectId } from '../name'
import { withWholeCalls } from '../partial-call'
import { codeText } from './code-text'
import { readMedia, readShown } from './media'

interface OpenCall {
  readonly id: string
  readonly name: string
  isAnswered: boolean
}

/** Calls of one name or id, in their order. */
class OpenCalls {
  readonly #calls: OpenCall[] = []
  #next = 0

  add(call: OpenCall): void {
    this.#calls.push(call)
  }

  /** Returns the first call without a result, which has one then. */
  take(): OpenCall | undefined {
    while (this.#calls[this.#next]?.isAnswered) this.#next += 1
    const call = this.#calls[this.#next]
    if (call) call.isAnswered = true
    return call
  }
}

function callsAt(known: Map<string, OpenCalls>, key: string): OpenCalls {
  const calls = known.get(key) ?? new OpenCalls()
  known.set(key, calls)
  return calls
}

/** The instructions and the turns. */
export function readMessages(body: JsonObject): Message[] {
  const own = member(body, 'systemInstruction')
  const reader = new ContentReader()
  const system = typeof own === 'string' ? [{ text: own }] : listOf(objectOf(own)['parts'])
  const contents: { role: 'user' | 'assistant'; parts: Part[] }[] = []
  for (const [index, content] of withWholeCalls(memberList(body, 'contents')).entries()) {
    const role = content['role'] === 'model' || content['role'] === 'assistant' ? 'assistant' : 'user'
    const parts = reader.read(listOf(content['parts']), index)
    const last = contents.at(-1)
    // Clients keep each piece of a stream as a content of its own.
    if (role === 'assistant' && last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts })
  }
  const turns = contents.map(({ role, parts }): Message => ({
    role,
    parts: role === 'assistant' ? joinParts(parts) : parts,
  }))
  const instructions = reader.read(system, -1)
  return instructions.length === 0 ? turns : [{ role: 'system', parts: instructions }, ...turns]
}

/** Reads parts in their order: results of functions name the calls before them, most often without an id. */
class ContentReader {
  readonly #byId = new Map<string, OpenCalls>()
  readonly #byName = new Map<string, OpenCalls>()

  read(parts: readonly JsonObject[], content: number): Part[] {
    return parts.flatMap((part, index) => this.#part(part, `${content}_${index}`))
  }

  #part(part: JsonObject, place: string): Part[] {
    const signature = textOf(member(part, 'thoughtSignature'))
    const call = member(part, 'functionCall')
    if (isObject(call)) {
      const thoughts = carriedThoughts(signature)
      return thoughts ? [...thoughts, this.#call(call, '', place)] : [this.#call(call, signature, place)]
    }
    const text = textOf(part['text'])
    if (part['thought'] === true && typeof part['text'] === 'string')
      return [{ kind: 'thinking', text, ...(signature !== '' && { signature }) }]
    const shown = this.#readContent(part, text, place)
    // A signature with a text belongs to the turn: it stands alone, as the vendor's streams have it.
    return signature === '' ? shown : [...shown, { kind: 'thinking', text: '', signature, isRedacted: true }]
  }

  #readContent(part: JsonObject, text: string, place: string): Part[] {
    const result = member(part, 'functionResponse')
    if (isObject(result)) return [this.#result(result, place)]
    const data = member(part, 'inlineData') ?? member(part, 'fileData')
    const words = text || codeText(part)
    const spoken: Part[] = words === '' ? [] : [{ kind: 'text', text: words }]
    if (isObject(data)) return [readMedia(data), ...spoken]
    if (words !== '') return spoken
    const isKnown = 'text' in part || member(part, 'codeExecutionResult') !== undefined
    const isOther = Object.keys(part).some((name) => !/^(?:thought|thoughtSignature|thought_signature)$/.test(name))
    return isKnown || !isOther ? [] : [{ kind: 'own', dialect: dialectId, value: part }]
  }

  #call(call: JsonObject, signature: string, place: string): Part {
    const id = textOf(call['id']) || `call_${place}`
    const name = textOf(call['name'])
    const opened = { id, name, isAnswered: false }
    callsAt(this.#byId, id).add(opened)
    callsAt(this.#byName, name).add(opened)
    return {
      kind: 'tool-call',
      id,
      name,
      argumentsText: jsonTextOf(call['args']) || '{}',
      ...(signature !== '' && { signature }),
    }
  }

  #result(result: JsonObject, place: string): ToolResultPart {
    const name = textOf(result['name'])
    const id = textOf(result['id'])
    const found = (id === '' ? this.#byName.get(name) : this.#byId.get(id))?.take()
    const { text, isError } = readResponse(objectOf(result['response']))
    const files = listOf(result['parts']).flatMap((part) => {
      const data = memberObject(part, 'inlineData')
      const file = memberObject(part, 'fileData')
      return Object.keys(data).length > 0 ? [readShown(data)] : Object.keys(file).length > 0 ? [readShown(file)] : []
    })
    return {
      kind: 'tool-result',
      callId: id || (found?.id ?? `call_${place}`),
      name: name || (found?.name ?? ''),
      parts: [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...files],
      isError,
    }
  }
}

/** What a function gave back: the vendor's two usual members hold a text or anything, all others are the result itself. */
function readResponse(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const [only, ...others] = Object.keys(response)
  const isError = only === 'error' && others.length === 0
  if (others.length > 0 || only === undefined || (only !== 'output' && !isError))
    return { text: only === undefined ? '' : JSON.stringify(response), isError: false }
  const value = response[only]
  return { text: typeof value === 'string' ? value : JSON.stringify(value), isError }
}

/** Clients send an answer back in the pieces that its stream had; a signature ends what it signs. */
function joinParts(parts: readonly Part[]): Part[] {
  const all: Part[] = []
  const signatures = new Set<string>()
  for (const part of parts) {
    // Clients that keep thoughts send those twice that a call carries.
    if (part.kind === 'thinking' && part.signature !== undefined) {
      if (signatures.has(part.signature)) continue
      signatures.add(part.signature)
    }
    const last = all.at(-1)
    if (part.kind === 'thinking' && last?.kind === 'thinking' && isOpen(last) && !part.isRedacted)
      all[all.length - 1] = { ...last, ...part, text: last.text + part.text }
    else if (part.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + part.text }
    else if (part.kind !== 'thinking' || part.text !== '' || part.signature !== undefined) all.push(part)
  }
  return all
}

const isOpen = ({ signature, isRedacted }: ThinkingPart): boolean => signature === undefined && !isRedacted
