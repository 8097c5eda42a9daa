import { messageRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { audienceOf, audienceQuery } from './audience'
import type { MessageValues } from './message-values'

/** Returns the size of the chosen audience; undefined for single users and without an audience. */
export function useAudienceCount(values: MessageValues) {
  const audience = audienceOf(values)
  const read = useRead(
    messageRoutes.countAudience,
    { query: audience ? audienceQuery(audience) : {} },
    { enabled: audience !== null, staleTime: 0 },
  )
  const isKnown = audience !== null && !read.isPlaceholderData
  return { data: isKnown ? read.data : undefined, error: isKnown ? read.error : null }
}
