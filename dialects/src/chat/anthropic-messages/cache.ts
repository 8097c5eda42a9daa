import type { JsonObject } from '../../core/json'
import type { CacheMark, NeutralCall } from '../../core/neutral/call'
import { objectOf } from '../../core/neutral/read'

/** The mark of a block, to be spread into a part. */
export function readCache(block: JsonObject): { readonly cache?: CacheMark } {
  const mark = objectOf(block['cache_control'])
  if (mark['type'] !== 'ephemeral') return {}
  return { cache: mark['ttl'] === '1h' ? '1h' : '5m' }
}

/** More marks are refused; OpenAI's clients may have eighty. https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const maxMarks = 4

/** Returns the call with its last marks alone: what they end includes what the earlier ones end. */
export function withLastMarks(call: NeutralCall): NeutralCall {
  const marked = [...call.tools, ...call.messages.flatMap(({ parts }) => parts)].filter(hasMark)
  if (marked.length <= maxMarks) return call
  const last = new Set<object>(marked.slice(-maxMarks))
  const withLast = <Marked extends object>(one: Marked): Marked =>
    hasMark(one) && !last.has(one) ? withoutMark(one) : one
  return {
    ...call,
    tools: call.tools.map(withLast),
    messages: call.messages.map((message) => ({ ...message, parts: message.parts.map(withLast) })),
  }
}

const hasMark = (one: object): boolean => 'cache' in one && one.cache !== undefined

function withoutMark<Marked extends object>(one: Marked): Marked {
  const left = { ...one }
  if ('cache' in left) delete left.cache
  return left
}

/** The mark as the dialect writes it; five minutes are the usual and need no word. */
export const writeCache = ({ cache }: { readonly cache?: CacheMark }): JsonObject =>
  cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...(cache === '1h' && { ttl: '1h' }) } }
