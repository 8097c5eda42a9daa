import type { JsonObject } from '../../core/json'
import type { CacheMark } from '../../core/neutral/call'
import { objectOf } from '../../core/neutral/read'

/** The mark of a block, to be spread into a part. */
export function readCache(block: JsonObject): { readonly cache?: CacheMark } {
  const mark = objectOf(block['cache_control'])
  if (mark['type'] !== 'ephemeral') return {}
  return { cache: mark['ttl'] === '1h' ? '1h' : '5m' }
}

/** The mark as the dialect writes it; five minutes are the usual and need no word. */
export const writeCache = ({ cache }: { readonly cache?: CacheMark }): JsonObject =>
  cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...(cache === '1h' && { ttl: '1h' }) } }
