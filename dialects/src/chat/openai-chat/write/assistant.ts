import type { JsonObject } from '../../../core/json'
import type { Message, Part, ThinkingPart, ToolCallPart } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import type { ChatTraits } from '../models'
import { freeTextArguments } from '../../../core/shared/free-text'
import { writeCallId } from '../short-text'
import { contentOf, plainContent } from './content'

/** An earlier answer; none when nothing of it can be said here. */
export function assistantMessages({ parts, name }: Message, traits: ChatTraits, warn: Warn): JsonObject[] {
  const calls = parts.filter((part) => part.kind === 'tool-call')
  const content = contentOf(
    parts.flatMap((part) => spokenPart(part, traits, warn)),
    traits,
    warn,
  )
  const otherMembers = {
    ...refusalOf(parts, traits),
    ...thinkingOf(parts, traits, warn),
    ...audioOf(parts),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => writeToolCall(call, traits)) }),
  }
  if (content.length === 0 && Object.keys(otherMembers).length === 0) return []
  // Nothing at all is refused where no call takes its place.
  const silent = 'tool_calls' in otherMembers || 'refusal' in otherMembers || 'audio' in otherMembers ? null : ''
  return [
    {
      role: 'assistant',
      ...(name && { name }),
      content: content.length === 0 ? silent : plainContent(content, ''),
      ...otherMembers,
    },
  ]
}

/** What stands in the content: a sound is there by its name, or else by its words. */
function spokenPart(part: Part, { isOpenAi }: ChatTraits, warn: Warn): Part[] {
  switch (part.kind) {
    case 'refusal':
      return isOpenAi ? [] : [part]
    case 'audio':
      return part.id === undefined && part.transcript ? [{ kind: 'text', text: part.transcript }] : []
    case 'image':
    case 'file':
    case 'video':
      warn('pictures and files of the model')
      return []
    default:
      return [part]
  }
}

function refusalOf(parts: readonly Part[], { isOpenAi }: ChatTraits): JsonObject {
  const refusal = parts.map((part) => (part.kind === 'refusal' ? part.text : '')).join('')
  return isOpenAi && refusal !== '' ? { refusal } : {}
}

function audioOf(parts: readonly Part[]): JsonObject {
  const spoken = parts.find((part) => part.kind === 'audio')
  return spoken?.id ? { audio: { id: spoken.id } } : {}
}

/** Many vendors want their thoughts back while tools run; signatures go where OpenRouter has them. */
function thinkingOf(parts: readonly Part[], { isOpenAi, signatures }: ChatTraits, warn: Warn): JsonObject {
  const thoughts = parts.filter((part) => part.kind === 'thinking')
  const isLost = signatures === null && thoughts.some(({ isRedacted }) => isRedacted)
  if (isOpenAi ? thoughts.length > 0 : isLost) warn(isOpenAi ? 'earlier thinking' : 'redacted thinking')
  if (isOpenAi) return {}
  const text = thoughts.map((thought) => (thought.isRedacted ? '' : thought.text)).join('')
  const isSigned = signatures !== null && thoughts.some(({ signature }) => signature !== undefined)
  return {
    ...(text && { reasoning_content: text }),
    ...(isSigned && { reasoning_details: thoughts.map((thought, index) => writeDetail(thought, index, signatures)) }),
  }
}

function writeDetail(thought: ThinkingPart, index: number, format: string): JsonObject {
  const { text, signature, isRedacted, isSummary, id } = thought
  const place = { format, index, ...(id && { id }) }
  if (isRedacted) return { type: 'reasoning.encrypted', data: signature ?? '', ...place }
  const detail = isSummary ? { type: 'reasoning.summary', summary: text } : { type: 'reasoning.text', text }
  return { ...detail, ...(signature && { signature }), ...place }
}

function writeToolCall({ id, name, argumentsText, signature, isCustom }: ToolCallPart, traits: ChatTraits): JsonObject {
  // Only OpenAI itself has tools of free text; elsewhere they are functions.
  const called =
    isCustom && traits.isOpenAi
      ? { type: 'custom', custom: { name, input: argumentsText } }
      : {
          type: 'function',
          function: { name, arguments: isCustom ? freeTextArguments(argumentsText) : argumentsText || '{}' },
        }
  return {
    id: writeCallId(id),
    ...called,
    ...(signature && !traits.isOpenAi && { extra_content: { google: { thought_signature: signature } } }),
  }
}
