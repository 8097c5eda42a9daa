import type { Unframer } from '@tollgate/providers'

import type { ByteReader } from '../../platform/net/upstream/answer-body'

/** Returns a reader of server-sent events over a stream in another framing. The same reader where nothing must change. */
export function unframed(reader: ByteReader, unframer: Unframer | undefined): ByteReader {
  if (!unframer) return reader
  let isOver = false
  return {
    async read() {
      if (isOver) return { done: true }
      const { done, value } = await reader.read()
      if (!done) return { done: false, value: unframer.push(value) }
      isOver = true
      return { done: false, value: unframer.end() }
    },
    cancel: () => reader.cancel(),
  }
}
