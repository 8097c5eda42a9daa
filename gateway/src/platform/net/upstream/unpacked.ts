import type { ByteReader, Bytes } from './answer-body'
import { MalformedAnswer } from './answer-head'

const formats: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
}

/** Returns a reader of the decompressed body; the same reader when it was not compressed. @throws MalformedAnswer for an unknown coding. */
export function unpacked(body: ByteReader<Bytes>, coding: string | null): ByteReader<Bytes> {
  const name = coding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return body
  const format = formats[name]
  if (!format) throw new MalformedAnswer(`The content coding ${name} is not known`)
  // The DOM's types know fewer formats than the runtime.
  return streamOf(body)
    .pipeThrough(new DecompressionStream(format as CompressionFormat))
    .getReader()
}

const streamOf = (body: ByteReader<Bytes>) =>
  new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await body.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  )
