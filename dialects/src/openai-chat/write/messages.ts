import type { JsonObject } from '../../json'
import type { Message, ToolResultPart } from '../../neutral/call'
import type { Warn } from '../../neutral/codec'
import { writeCache } from '../cache-mark'
import type { ChatTraits } from '../models'
import { writeCallId } from '../short-text'
import { assistantMessages } from './assistant'
import { contentOf, plainContent } from './content'

/**
 * The conversation. What tools answered becomes messages of its own: they follow their calls at once, and whatever else
 * the turn says or shows comes behind the last of them.
 */
export function writeMessages(messages: readonly Message[], traits: ChatTraits, warn: Warn): JsonObject[] {
  const written: JsonObject[] = []
  let held: JsonObject[] = []
  const instructing = instructingRole(messages, traits)
  for (const message of messages) {
    const results = message.parts.filter((part) => part.kind === 'tool-result')
    if (results.length === 0) {
      written.push(...held)
      held = []
    }
    if (message.role === 'assistant') written.push(...assistantMessages(message, traits, warn))
    else {
      written.push(...results.map((result) => toolMessage(result, traits)))
      const said = spokenMessage(message, results, instructing, traits, warn)
      ;(results.length === 0 ? written : held).push(...said)
    }
  }
  return [...written, ...held]
}

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
  const shown = results.flatMap(({ parts: said }) => said.filter((part) => part.kind !== 'text'))
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
