import type { Message, NeutralCall } from '../neutral/call'
import { textOf } from '../neutral/read'

/*
 * Calls of applications that others built and that keep conversations of their own.
 */

/** An application wants to know its user. */
export const defaultUser = 'tollgate'

/** What responses put before the conversation's id, as their dialects want it. */
const beginning = /^(?:chatcmpl-|msg_|resp_)/

/** The conversation that the client names in the body or in its metadata. */
export const conversationOf = ({ own, metadata }: NeutralCall): string =>
  (textOf(own?.members['conversation_id']) || (metadata?.['conversation_id'] ?? '')).replace(beginning, '')

/** What was said since the last answer. */
export function latest(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(last + 1)
}

/** What a call says that an application cannot be told: it has a model and settings of its own. */
export function unsaid({ sampling, tools, output, thinking, modalities }: NeutralCall): string[] {
  const { maxTokens, temperature, topP, topK, seed, presencePenalty, frequencyPenalty, stop, choices } = sampling
  const all: readonly (readonly [boolean, string])[] = [
    [maxTokens !== null, 'max_tokens'],
    [temperature !== null || topP !== null || topK !== null || seed !== null, 'sampling'],
    [presencePenalty !== null || frequencyPenalty !== null, 'penalties'],
    [stop.length > 0, 'stop sequences'],
    [choices > 1, 'more than one choice'],
    [sampling.hasLogProbabilities, 'log probabilities'],
    [tools.length > 0, 'tools'],
    [output !== null, 'the format of the answer'],
    [thinking?.isEnabled === true, 'thinking'],
    [modalities.length > 0, 'answers in anything but text'],
  ]
  return all.flatMap(([isAsked, what]) => (isAsked ? [what] : []))
}
