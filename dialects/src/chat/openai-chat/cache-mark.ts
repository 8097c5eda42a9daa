import type { JsonObject } from '../../core/json'
import type { CacheMark } from '../../core/neutral/call'
import { objectOf } from '../../core/neutral/read'
import type { ChatTraits } from './models'

/** Anthropic's mark, which many send along in OpenAI's dialect, or OpenAI's own: https://developers.openai.com/api/docs/guides/prompt-caching */
export function cacheOf(marked: JsonObject): { readonly cache?: CacheMark } {
  const mark = objectOf(marked['cache_control'])
  if (mark['type'] === 'ephemeral') return { cache: mark['ttl'] === '1h' ? '1h' : '5m' }
  return objectOf(marked['prompt_cache_breakpoint'])['mode'] === 'explicit' ? { cache: '30m' } : {}
}

type CacheTraits = Pick<ChatTraits, 'takesCacheMarks' | 'takesBreakpoints'>

/**
 * The mark for a model that understands it; to all others it would be a member they do not know. OpenAI's models cache without marks, so
 * that Anthropic's are of no use to them.
 */
export function writeCache({ cache }: { readonly cache?: CacheMark }, traits: CacheTraits): JsonObject {
  if (cache === undefined) return {}
  if (traits.takesCacheMarks) return { cache_control: { type: 'ephemeral', ...(cache === '1h' && { ttl: '1h' }) } }
  return cache === '30m' && traits.takesBreakpoints ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {}
}

/** Returns whether a written part of a content is marked. */
export const isMarked = (part: JsonObject): boolean => 'cache_control' in part || 'prompt_cache_breakpoint' in part
