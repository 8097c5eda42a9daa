import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { omitUndefined, nestedObject } from '../../../core/neutral/read'
import { isCipher } from '../../vendor-objects/sealed-thoughts'
import { noSignature } from '../carried-thoughts'
import type { GeminiTraits } from '../models'
import { dialectId } from '../name'
import { partLabel } from '../../../core/neutral/left-out'
import { isOwnId } from '../call-ids'
import { writeMedia } from './media'

interface Turn {
  readonly role: 'user' | 'model'
  readonly parts: Part[]
}

const filler = '...'

/**
 * The instructions, wherever they stood, and the turns: those of a speaker after each other are one, and results of functions
 * come first in theirs, in the order of their calls.
 */
export function writeContents(call: NeutralCall, instructions: readonly string[], traits: GeminiTraits, warn: Warn) {
  const writing: Writing = { traits, names: new Map(), unparsedLength: maxParsedLength, warn }
  const system: Part[] = []
  const turns: Turn[] = []
  for (const { role, name, parts } of call.messages) {
    if (name !== undefined) warn('the name of a speaker')
    if (role === 'system' || role === 'developer') system.push(...parts)
    else
      addTurn(
        turns,
        role === 'assistant' ? 'model' : 'user',
        parts.flatMap((part) => sendable(part, call, warn)),
      )
  }
  const reported = [
    ...system.flatMap((part) => writePart(part, 'system', writing)),
    ...instructions.map((text) => ({ text })),
  ]
  return omitUndefined({
    systemInstruction: reported.length > 0 ? { parts: reported } : undefined,
    contents: contentsOf(turns, writing),
  })
}

/** A thought whose words are signed is another vendor's: this one signs calls and ends of texts. */
function sendable(part: Part, { own }: NeutralCall, warn: Warn): Part[] {
  if (part.kind === 'thinking' && part.isRedacted && isCipher(part.signature ?? '')) {
    warn('thinking that another vendor signed')
    return []
  }
  if (part.kind !== 'thinking' || part.isRedacted || !part.signature || own?.dialect === dialectId) return [part]
  warn("another vendor's signature of a thought")
  return [{ kind: 'thinking', text: part.text }]
}

function addTurn(turns: Turn[], role: Turn['role'], parts: readonly Part[]): void {
  const last = turns.at(-1)
  if (last?.role === role) last.parts.push(...parts)
  else if (parts.length > 0) turns.push({ role, parts: [...parts] })
}

function contentsOf(turns: readonly Turn[], writing: Writing): JsonObject[] {
  const contents: JsonObject[] = []
  for (const [index, { role, parts }] of turns.entries()) {
    const ordered = role === 'user' ? resultsFirst(parts, turns[index - 1]?.parts ?? []) : parts
    const all = ordered.flatMap((part) => writePart(part, role === 'model' ? 'assistant' : 'user', writing))
    const written = role === 'model' && writing.traits.isThird ? signFirstCall(all) : inOrder(all)
    if (written.length > 0) contents.push({ role, parts: written })
  }
  // A talk begins with the user, and has to say something.
  return contents[0]?.['role'] === 'user' ? contents : [{ role: 'user', parts: [{ text: filler }] }, ...contents]
}

/** Signs the first of calls that are made at once. */
function signFirstCall(parts: readonly JsonObject[]): readonly JsonObject[] {
  const first = parts.findIndex((part) => part['functionCall'] !== undefined)
  return parts.map((part, index) =>
    index === first && part['thoughtSignature'] === undefined ? { ...part, thoughtSignature: noSignature } : part,
  )
}

const isResponse = (part: JsonObject): boolean => part['functionResponse'] !== undefined

/** Pictures of a result come behind all results. */
const inOrder = (parts: readonly JsonObject[]): readonly JsonObject[] =>
  parts.some(isResponse) ? [...parts.filter(isResponse), ...parts.filter((part) => !isResponse(part))] : parts

function resultsFirst(parts: readonly Part[], before: readonly Part[]): readonly Part[] {
  const places = new Map<string, number>()
  for (const [index, part] of before.entries())
    if (part.kind === 'tool-call' && !places.has(part.id)) places.set(part.id, index)
  const results = parts.filter((part): part is ToolResultPart => part.kind === 'tool-result')
  const place = ({ callId }: ToolResultPart): number => places.get(callId) ?? before.length
  const sorted = results.toSorted((one, other) => place(one) - place(other))
  return [...sorted, ...parts.filter(({ kind }) => kind !== 'tool-result')]
}

/** What parts are written for. */
interface Writing {
  readonly traits: GeminiTraits
  /** The names of the calls so far, by id. */
  readonly names: Map<string, string>
  /** How much of further results may be parsed. */
  unparsedLength: number
  readonly warn: Warn
}

/** What a part becomes: one or more, or none where the dialect cannot say it. */
function writePart(part: Part, role: Message['role'], writing: Writing): JsonObject[] {
  const { warn } = writing
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'thinking':
      return role === 'assistant' ? writeThought(part) : []
    case 'tool-call':
      return [writeCall(part, writing)]
    case 'tool-result':
      return writeResult(part, writing)
    case 'own':
      if (part.dialect === dialectId) return [part.value]
      warn(partLabel(part))
      return []
    default: {
      if (part.kind === 'audio' && part.source.kind !== 'url' && part.transcript !== undefined && role === 'assistant')
        return [{ text: part.transcript }]
      const media = writeMedia(part, warn)
      return media ? [media] : []
    }
  }
}

/** A signature without a thought stands in a part that says nothing, as the vendor's streams have it. */
function writeThought({ text, signature, isRedacted }: ThinkingPart): JsonObject[] {
  const signed = signature === undefined || signature === '' ? {} : { thoughtSignature: signature }
  if (isRedacted) return signature ? [{ text: '', ...signed }] : []
  return text === '' && !signature ? [] : [{ text, thought: true, ...signed }]
}

function writeCall(part: ToolCallPart, { names, warn }: Writing): JsonObject {
  names.set(part.id, part.name)
  const args = part.isCustom ? { input: part.argumentsText } : nestedObject(part.argumentsText || '{}')
  if (args === null) warn('arguments of a call that are no JSON object')
  return omitUndefined({
    functionCall: { ...(isOwnId(part.id) && { id: part.id }), name: part.name, args: args ?? {} },
    thoughtSignature: part.signature || undefined,
  })
}

/** Pictures belong to the result only for newer models; for others they follow it. */
function writeResult(part: ToolResultPart, writing: Writing): JsonObject[] {
  const { traits, names, warn } = writing
  const texts = part.parts.flatMap((shown) => (shown.kind === 'text' ? [shown.text] : []))
  const media = part.parts.flatMap((shown): JsonObject[] => {
    const data = shown.kind === 'text' ? null : writeMedia(shown, warn)
    return data ? [data] : []
  })
  const functionResponse = {
    ...(isOwnId(part.callId) && { id: part.callId }),
    name: part.name || names.get(part.callId) || part.callId,
    response: responseOf(texts.join('\n'), part.isError, writing),
    ...(traits.isThird && media.length > 0 && { parts: media }),
  }
  return [{ functionResponse }, ...(traits.isThird ? [] : media)]
}

/** The results of a conversation that are as long as a window. Later ones are told as texts: all are written in one step. */
const maxParsedLength = 4_000_000

/** An object is the result itself; anything else has a member that is named for it. https://ai.google.dev/api/caching#FunctionResponse */
function responseOf(text: string, isError: boolean, writing: Writing): JsonObject {
  if (isError) return { error: text }
  const isObject = text.trimStart().startsWith('{')
  if (isObject) writing.unparsedLength -= text.length
  const object = isObject && writing.unparsedLength >= 0 ? nestedObject(text) : null
  if (object === null) return text === '' ? {} : { output: text }
  const [only, ...others] = Object.keys(object)
  const isAmbiguous = others.length === 0 && (only === undefined || only === 'output' || only === 'error')
  return isAmbiguous ? { output: text } : object
}
