import type { JsonObject } from '../../../core/json'
import type { Message, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { writeCache } from '../cache-mark'
import type { ChatTraits } from '../models'
import { writeCallId } from '../short-text'
import { contentOf, plainContent } from './content'
import { freeTextArguments } from '../../../core/shared/free-text'

/** Members of a message that vendors with messages of their own have a word or a warning for. */
export const spokenMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'reasoning_content',
  'reasoning_details',
  'tool_calls',
  'tool_call_id',
])

/**
 * The conversation. What tools answered becomes messages of its own: they follow their calls at once, and whatever else
 * is said or shown in the turn, or in between, comes behind the last of them.
 */
export function writeMessages(conversation: readonly Message[], traits: ChatTraits, warn: Warn): JsonObject[] {
  const messages = traits.takesLateInstructions ? conversation : withEarlyInstructions(conversation)
  const written: JsonObject[] = []
  let held: JsonObject[] = []
  const instructing = instructingRole(messages, traits)
  const answered = new Set(messages.flatMap((message) => resultsIn(message).map(({ callId }) => callId)))
  /** Calls of the latest turn whose results are still to come. */
  const open = new Set<string>()
  for (const message of messages) {
    const results = resultsIn(message)
    if (message.role === 'assistant' || (results.length === 0 && open.size === 0)) {
      written.push(...held)
      held = []
    }
    if (message.role === 'assistant') {
      open.clear()
      for (const part of message.parts) if (part.kind === 'tool-call' && answered.has(part.id)) open.add(part.id)
      written.push(...assistantMessages(message, traits, warn))
      continue
    }
    for (const result of results) {
      open.delete(result.callId)
      written.push(toolMessage(result, traits))
    }
    const turnMessages = spokenMessage(message, results, instructing, traits, warn)
    ;(results.length === 0 && open.size === 0 ? written : held).push(...turnMessages)
  }
  return [...written, ...held]
}

/**
 * Templates of open models refuse instructions behind the first message (“System message must be at the beginning”), and Claude Code sends
 * them where the talk is. The user says them there. https://github.com/QuantumNous/new-api/issues/7307
 */
function withEarlyInstructions(messages: readonly Message[]): readonly Message[] {
  const count = messages.findIndex((message) => !isInstruction(message))
  const start = count < 0 ? messages.length : count
  if (start <= 1 && !messages.slice(start).some(isInstruction)) return messages
  const [first, ...more] = messages.slice(0, start)
  const opening = first ? [{ ...first, parts: [first, ...more].flatMap(({ parts }) => parts) }] : []
  return [
    ...opening,
    ...messages.slice(start).map((message) => (isInstruction(message) ? asReminder(message) : message)),
  ]
}

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer'

const asReminder = (message: Message): Message => ({
  ...message,
  role: 'user',
  parts: message.parts.map((part) =>
    part.kind === 'text' ? { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` } : part,
  ),
})

const resultsIn = ({ parts }: Message): ToolResultPart[] => parts.filter((part) => part.kind === 'tool-result')

/** OpenAI refuses a call with both roles; others know only the older one. */
function instructingRole(messages: readonly Message[], { isOpenAi }: ChatTraits): string {
  return isOpenAi && messages.some(({ role }) => role === 'developer') ? 'developer' : 'system'
}

function spokenMessage(
  { role, name, parts }: Message,
  results: readonly ToolResultPart[],
  instructing: string,
  traits: ChatTraits,
  warn: Warn,
): JsonObject[] {
  const shown = results.flatMap(({ parts: resultParts }) => resultParts.filter((part) => part.kind !== 'text'))
  const content = contentOf([...shown, ...parts], traits, warn)
  if (content.length === 0) return []
  const isUser = role === 'user'
  return [
    {
      role: isUser ? role : instructing,
      ...(name && { name }),
      content: plainContent(content, isUser ? undefined : '\n\n'),
    },
  ]
}

/** Only texts have a place here; pictures follow in a message of the user. */
function toolMessage(result: ToolResultPart, traits: ChatTraits): JsonObject {
  const { callId, parts, isError } = result
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const silent = isError ? 'The tool failed.' : parts.some(({ kind }) => kind !== 'text') ? 'The result follows.' : ''
  const content = { type: 'text', text: text || silent, ...writeCache(result, traits) }
  return { role: 'tool', tool_call_id: writeCallId(callId), content: plainContent([content]) }
}

/** An earlier answer; none when nothing of it can be said here. */
function assistantMessages({ parts, name }: Message, traits: ChatTraits, warn: Warn): JsonObject[] {
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
