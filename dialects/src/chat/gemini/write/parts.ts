import type { JsonObject } from '../../../core/json'
import type { Message, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../../core/neutral/call'
import { partLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { parsedObject, omitUndefined } from '../../../core/neutral/read'
import type { GeminiTraits } from '../models'
import { dialectId } from '../name'
import { isOwnId } from '../call-ids'
import { writeMedia } from './media'

/** What parts are written for. */
export interface Writing {
  readonly traits: GeminiTraits
  /** The names of the calls so far, by id. */
  readonly names: Map<string, string>
  readonly warn: Warn
}

/** What a part becomes: one or more, or none where the dialect cannot say it. */
export function writePart(part: Part, role: Message['role'], writing: Writing): JsonObject[] {
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
  const args = part.isCustom ? { input: part.argumentsText } : parsedObject(part.argumentsText || '{}')
  if (args === null) warn('arguments of a call that are no JSON object')
  return omitUndefined({
    functionCall: { ...(isOwnId(part.id) && { id: part.id }), name: part.name, args: args ?? {} },
    thoughtSignature: part.signature || undefined,
  })
}

/** Pictures belong to the result only for newer models; for others they follow it. */
function writeResult(part: ToolResultPart, { traits, names, warn }: Writing): JsonObject[] {
  const texts = part.parts.flatMap((shown) => (shown.kind === 'text' ? [shown.text] : []))
  const media = part.parts.flatMap((shown): JsonObject[] => {
    const data = shown.kind === 'text' ? null : writeMedia(shown, warn)
    return data ? [data] : []
  })
  const functionResponse = {
    ...(isOwnId(part.callId) && { id: part.callId }),
    name: part.name || names.get(part.callId) || part.callId,
    response: responseOf(texts.join('\n'), part.isError),
    ...(traits.isThird && media.length > 0 && { parts: media }),
  }
  return [{ functionResponse }, ...(traits.isThird ? [] : media)]
}

/** An object is the result itself; anything else has a member that is named for it. https://ai.google.dev/api/caching#FunctionResponse */
function responseOf(text: string, isError: boolean): JsonObject {
  if (isError) return { error: text }
  const object = text.trimStart().startsWith('{') ? parsedObject(text) : null
  if (object === null) return text === '' ? {} : { output: text }
  const [only, ...others] = Object.keys(object)
  const isAmbiguous = others.length === 0 && (only === undefined || only === 'output' || only === 'error')
  return isAmbiguous ? { output: text } : object
}
