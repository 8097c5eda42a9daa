import { gatheredStream } from '@tollgate/dialects'

import type { ModeDescription } from './provider'
import { withMember } from './shape'

/** Returns the description of a call in one piece at an upstream that does nothing but stream; the same object where the vendor's dialect has no stream. */
export function forceStreaming(description: ModeDescription): ModeDescription {
  const { dialect, collect = gatheredStream(dialect), acceptsStreamOptions, shape } = description
  if (!collect || !gatheredStream(dialect)) return description
  return {
    ...description,
    collect,
    needsShape: true,
    shape: (body, target) => {
      const shaped = shape?.(body, target) ?? { body }
      // Google's dialect says it in the address.
      if (dialect === 'gemini') return shaped
      const requested = withMember(shaped.body, 'stream', true)
      return {
        ...shaped,
        body: acceptsStreamOptions ? withMember(requested, 'stream_options', { include_usage: true }) : requested,
      }
    },
  }
}
