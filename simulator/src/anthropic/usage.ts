import type { Counted } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import { isObject, type JsonObject } from '../json'
import { promptTokensOf, reportedUsage } from '../usage-report'
import type { Generation } from '../generation'

const names = { prompt: 'input_tokens', completion: 'output_tokens' }

/** The usage of a message: as a whole message has it, as its stream starts with it, and as its stream ends with it. */
export interface MessageUsage {
  readonly counted: Counted
  readonly whole: unknown
  readonly atStart: unknown
  readonly atEnd: unknown
}

export function usageOf(
  body: JsonObject,
  prompt: readonly unknown[],
  generation: Pick<Generation, 'completionTokens' | 'thoughtTokens' | 'searches'>,
  behaviour: Behaviour,
): MessageUsage {
  const promptTokens = behaviour.promptTokens ?? promptTokensOf(prompt)
  const { completionTokens } = generation
  const cache = cacheOf(body, promptTokens, behaviour)
  const totals = {
    input_tokens: Math.max(promptTokens - cache.read - cache.written, 0),
    cache_creation_input_tokens: cache.written,
    cache_read_input_tokens: cache.read,
  }
  const split = {
    cache_creation: { ephemeral_5m_input_tokens: cache.fiveMinutes, ephemeral_1h_input_tokens: cache.hour },
    service_tier: 'standard',
  }
  const produced = {
    output_tokens: completionTokens,
    ...(generation.thoughtTokens > 0 ? { output_tokens_details: { thinking_tokens: generation.thoughtTokens } } : {}),
    ...(generation.searches > 0
      ? { server_tool_use: { web_search_requests: generation.searches, web_fetch_requests: 0 } }
      : {}),
  }
  const whole = reportedUsage(behaviour, names, { ...totals, ...split, ...produced })
  if (behaviour.usage === 'none') {
    const counted = { promptTokens, completionTokens, reported: undefined }
    return { counted, whole: undefined, atStart: undefined, atEnd: undefined }
  }
  return {
    counted: { promptTokens, completionTokens, reported: whole },
    whole,
    atStart: reportedUsage(behaviour, names, { ...totals, ...split, output_tokens: Math.min(completionTokens, 1) }),
    atEnd: reportedUsage(behaviour, names, { ...totals, ...produced }),
  }
}

interface Cache {
  readonly read: number
  readonly written: number
  readonly fiveMinutes: number
  readonly hour: number
}

/** A request with marks writes half of its prompt to the cache, for as long as its marks say; marks of both kinds share it. */
function cacheOf(body: JsonObject, promptTokens: number, behaviour: Behaviour): Cache {
  const marks = marksIn([body['system'], body['tools'], body['messages'], body])
  const marked = marks.size > 0 ? promptTokens >> 1 : 0
  const forHour = marks.has('1h') ? (marks.size > 1 ? marked >> 1 : marked) : 0
  const hour = behaviour.cacheWriteHourTokens ?? forHour
  const fiveMinutes = behaviour.cacheWriteTokens ?? marked - forHour
  return { read: behaviour.cachedTokens ?? 0, written: hour + fiveMinutes, fiveMinutes, hour }
}

/** The lifetimes of all cache marks. */
function marksIn(value: unknown, depth = 0): Set<string> {
  if (depth > 8) return new Set()
  const inner = Array.isArray(value) ? value : isObject(value) ? [value['content']] : []
  const found = inner.map((part) => marksIn(part, depth + 1))
  const mark = isObject(value) ? value['cache_control'] : undefined
  const own = isObject(mark) ? [mark['ttl'] === '1h' ? '1h' : '5m'] : []
  return new Set([...own, ...found.flatMap((marks) => [...marks])])
}
