import type { JsonObject } from '../../core/json'
import type { CacheMark } from '../../core/neutral/call'
import { objectOf } from '../../core/neutral/read'
import type { ChatTraits } from './models'

/** Anthropic's mark, which many send along in OpenAI's dialect. */
export function cacheOf(marked: JsonObject): { readonly cache?: CacheMark } {
  const mark = objectOf(marked['cache_control'])
  if (mark['type'] !== 'ephemeral') return {}
  return { cache: mark['ttl'] === '1h' ? '1h' : '5m' }
}

/** The mark for a model that understands it; to all others it would be a member they do not know. */
export function writeCache({ cache }: { readonly cache?: CacheMark }, { takesCacheMarks }: ChatTraits): JsonObject {
  if (cache === undefined || !takesCacheMarks) return {}
  return { cache_control: { type: 'ephemeral', ...(cache === '1h' && { ttl: '1h' }) } }
}
