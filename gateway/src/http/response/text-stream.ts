/**
 * Returns the parts as a body, each generated when the client has read the one before; empty ones are skipped. When the client leaves, the
 * generator is ended at its next `yield`. `onFailure` is called with the reason why a body broke off; the client sees the connection
 * break, never a complete response.
 */
export const textStream = (
  parts: AsyncGenerator<string>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> => streamOf(parts, (text) => encoder.encode(text), onFailure)

const encoder = new TextEncoder()

/** The same for parts that are bytes. */
export const byteStream = (
  parts: AsyncGenerator<Uint8Array>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> => streamOf(parts, (bytes) => bytes, onFailure)

function streamOf<Part extends { readonly length: number }>(
  parts: AsyncGenerator<Part>,
  bytesOf: (part: Part) => Uint8Array,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let hasLeft = false
  async function giveNext(controller: ReadableStreamDefaultController<Uint8Array>) {
    for (;;) {
      const next = await parts.next()
      if (hasLeft) return
      if (next.done) return controller.close()
      if (next.value.length > 0) return controller.enqueue(bytesOf(next.value))
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await giveNext(controller)
        } catch (error) {
          onFailure(error)
          controller.error(error)
        }
      },
      async cancel() {
        hasLeft = true
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
