import type { Message, NeutralCall } from '../neutral/call'
import type { Warn } from '../neutral/codec'
import { warnOfUnsupported } from '../neutral/plain-call'
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

/** Warns of what an application cannot be told: it has a model and settings of its own. */
export function warnOfUnsaid(call: NeutralCall, warn: Warn): void {
  const { conversation_id: _, ...metadata } = call.metadata ?? {}
  warnOfUnsupported({ ...call, metadata }, ['user'], warn)
}
