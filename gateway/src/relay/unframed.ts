import type { Unframer } from '@tollgate/providers'

/** Reads bytes; that of a stream, or one that is like it. */
export type ByteReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/** A reader of server-sent events over a stream that is made of something else. The same reader where nothing must change. */
export function unframed(reader: ByteReader, unframer: Unframer | undefined): ByteReader {
  if (!unframer) return reader
  let isOver = false
  return {
    async read() {
      if (isOver) return { done: true, value: undefined }
      const { done, value } = await reader.read()
      if (!done) return { done: false, value: unframer.push(value) }
      isOver = true
      return { done: false, value: unframer.end() }
    },
    cancel: (reason) => reader.cancel(reason),
  }
}
