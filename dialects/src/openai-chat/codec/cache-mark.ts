import type { JsonObject } from '../../json'
import { objectOf } from '../../neutral/read'

/** Anthropic's mark, which many send along in OpenAI's dialect. */
export function cacheOf(marked: JsonObject): { readonly cache?: '5m' | '1h' } {
  const mark = objectOf(marked['cache_control'])
  if (mark['type'] !== 'ephemeral') return {}
  return { cache: mark['ttl'] === '1h' ? '1h' : '5m' }
}
