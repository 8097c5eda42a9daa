import { isObject, type JsonObject } from '../../core/json'
import { objectOf, objectsOf } from '../../core/neutral/read'
import { isEffort } from '../../core/neutral/thinking'
import type { Effort } from '../../core/neutral/call'

/**
 * What messages of the role `system` say of the turns behind them: how hard the model shall work from then on, and that their own words
 * are for one turn alone. https://platform.claude.com/docs/en/build-with-claude/effort-per-message
 */

/** The effort that is in force by the end of a conversation; null where no message sets one. */
export function lateEffort(messages: readonly JsonObject[]): Effort | null {
  const lastInput = messages.findLastIndex(isNewInput)
  const setting = messages.findLast(
    ({ role, output_config: config }, index) =>
      role === 'system' &&
      isEffort(objectOf(config)['effort']) &&
      (index < lastInput || isNewInput(messages[index - 1])),
  )
  const effort = objectOf(setting?.['output_config'])['effort']
  return isEffort(effort) ? effort : null
}

/** Results of tools alone go on with a turn. */
function isNewInput(message: JsonObject | undefined): boolean {
  if (message?.['role'] !== 'user') return false
  const { content } = message
  return !Array.isArray(content) || content.some((block: unknown) => objectOf(block)['type'] !== 'tool_result')
}

/** The messages that the model is shown: without those whose turn is over, and those without words. */
export function shownMessages(messages: readonly JsonObject[]): readonly JsonObject[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  return messages.filter(({ role, content, clear_at: end }, index) => {
    if (role !== 'system') return true
    if (end === 'next_user_message' && index < lastUser) return false
    return typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0
  })
}

/** Returns a request for hosts that know no settings of turns: with the effort that is in force, and what the model is shown. */
export function withoutTurnSettings(body: JsonObject): JsonObject {
  const messages = objectsOf(body['messages'])
  if (!messages.some((message) => 'output_config' in message || 'clear_at' in message)) return body
  const effort = lateEffort(messages)
  const { output_config: config } = body
  return {
    ...body,
    messages: shownMessages(messages).map((message) => {
      const { output_config: _config, clear_at: _end, ...plain } = message
      return plain
    }),
    ...(effort !== null && { output_config: { ...(isObject(config) && config), effort } }),
  }
}

/** Returns a request for hosts that know efforts of turns, but not words for one turn alone. */
export function withoutShortWords(body: JsonObject): JsonObject {
  const messages = objectsOf(body['messages'])
  if (!messages.some((message) => 'clear_at' in message)) return body
  const shown = new Set(shownMessages(messages))
  return {
    ...body,
    messages: messages.flatMap(({ clear_at: _end, ...message }, index) => {
      if (shown.has(messages[index] ?? message)) return [message]
      return 'output_config' in message ? [{ ...message, content: [] }] : []
    }),
  }
}
