import type { JsonObject } from '../../json'
import type { Message, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../neutral/call'
import type { Warn } from '../../neutral/codec'
import { contentOf, plainContent } from './write-content'

/** The conversation. What tools answered becomes messages of its own, and stands before what else its turn says. */
export const writeMessages = (messages: readonly Message[], warn: Warn): JsonObject[] =>
  messages.flatMap((message) => writeMessage(message, warn))

function writeMessage({ role, name, parts }: Message, warn: Warn): JsonObject[] {
  if (role === 'assistant') return [assistantMessage(parts, name, warn)]
  const results = parts.filter((part) => part.kind === 'tool-result')
  const others = parts.filter((part) => part.kind !== 'tool-result')
  const shown = results.flatMap(({ parts: said }) => said.filter((part) => part.kind !== 'text'))
  const content = contentOf([...shown, ...others], warn)
  return [
    ...results.map(toolMessage),
    ...(content.length === 0 ? [] : [{ role, ...(name && { name }), content: plainContent(content) }]),
  ]
}

/** Only texts have a place here; pictures follow in a message of the user. */
function toolMessage({ callId, parts, isError }: ToolResultPart): JsonObject {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return { role: 'tool', tool_call_id: callId, content: isError && text === '' ? 'The tool failed.' : text }
}

function assistantMessage(parts: readonly Part[], name: string | undefined, warn: Warn): JsonObject {
  const thoughts = parts.filter((part) => part.kind === 'thinking')
  const calls = parts.filter((part) => part.kind === 'tool-call')
  const refusal = parts.map((part) => (part.kind === 'refusal' ? part.text : '')).join('')
  const spoken = parts.find((part) => part.kind === 'audio')
  const said = parts.filter((part) => part.kind === 'text' || part.kind === 'own')
  const content = contentOf(said, warn)
  if (parts.some((part) => part.kind === 'image' || part.kind === 'file')) warn('pictures and files of the model')
  return {
    role: 'assistant',
    ...(name && { name }),
    content: content.length === 0 ? null : plainContent(content),
    ...(refusal && { refusal }),
    ...thinkingOf(thoughts),
    ...(spoken?.id && { audio: { id: spoken.id } }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
  }
}

function thinkingOf(thoughts: readonly ThinkingPart[]): JsonObject {
  const text = thoughts.map((thought) => (thought.isRedacted ? '' : thought.text)).join('')
  const isSigned = thoughts.some(({ signature }) => signature !== undefined)
  return {
    ...(text && { reasoning_content: text }),
    ...(isSigned && { reasoning_details: thoughts.map(writeDetail) }),
  }
}

function writeDetail(thought: ThinkingPart, index: number): JsonObject {
  const { text, signature, isRedacted, isSummary, id } = thought
  const place = { format: 'unknown', index, ...(id && { id }) }
  if (isRedacted) return { type: 'reasoning.encrypted', data: signature ?? '', ...place }
  const said = isSummary ? { type: 'reasoning.summary', summary: text } : { type: 'reasoning.text', text }
  return { ...said, ...(signature && { signature }), ...place }
}

function writeCall({ id, name, argumentsText, signature, isCustom }: ToolCallPart): JsonObject {
  const called = isCustom
    ? { type: 'custom', custom: { name, input: argumentsText } }
    : { type: 'function', function: { name, arguments: argumentsText } }
  return { id, ...called, ...(signature && { extra_content: { google: { thought_signature: signature } } }) }
}
