import { pour, type ByteReader, type Take } from '../../platform/net/upstream/answer-body'

/** About one or two events. */
const sliceBytes = 1024

/**
 * Returns a reader whose reads are short, so that the beginning of a stream can be told from what arrived in the same read. Poured bytes
 * pass unchanged.
 */
export function inSlices(reader: ByteReader): ByteReader {
  let rest: Uint8Array | null = null
  return {
    async read() {
      const read = rest ? { done: false as const, value: rest } : await reader.read()
      rest = null
      if (read.done || read.value.byteLength <= sliceBytes) return read
      rest = read.value.subarray(sliceBytes)
      return { done: false, value: read.value.subarray(0, sliceBytes) }
    },
    pour(take: Take) {
      const value = rest
      rest = null
      return value && !take(value) ? Promise.resolve(false) : pour(reader, take)
    },
    cancel: () => reader.cancel(),
  }
}
