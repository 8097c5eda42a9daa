/**
 * Returns the parts as a body, each generated when the client has read the one before; empty ones are skipped. When the client leaves, the
 * generator is ended at its next `yield`. `onFailure` is called with the reason why a body broke off; the client sees the connection
 * break, never a complete response.
 */
export function textStream(
  parts: AsyncGenerator<string>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let hasLeft = false
  async function giveNext(controller: ReadableStreamDefaultController<Uint8Array>) {
    for (;;) {
      const next = await parts.next()
      if (hasLeft) return
      if (next.done) return controller.close()
      if (next.value !== '') return controller.enqueue(encoder.encode(next.value))
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
