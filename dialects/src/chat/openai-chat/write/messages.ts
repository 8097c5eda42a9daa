import type { JsonObject } from '../../../core/json'
import type { Message, ToolResultPart } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { writeCache } from '../cache-mark'
import type { ChatTraits } from '../models'
import { writeCallId } from '../short-text'
import { assistantMessages } from './assistant'
import { contentOf, plainContent } from './content'

/**
 * The conversation. What tools answered becomes messages of its own: they follow their calls at once, and whatever else
 * is said or shown in the turn, or in between, comes behind the last of them.
 */
export function writeMessages(messages: readonly Message[], traits: ChatTraits, warn: Warn): JsonObject[] {
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
