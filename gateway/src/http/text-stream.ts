/**
 * The parts as a body, each made when the client has taken the one before; empty ones are passed over. When the client
 * leaves, the generator is ended at its next `yield`. `onFailure` learns why a body broke off; the client sees the connection break, never a whole answer.
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
