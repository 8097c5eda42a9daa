/** Returns the same body, and disposes of a place once it has ended, failed, or lost its reader. */
export function endedBody(body: ReadableStream<Uint8Array>, place: Disposable): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          place[Symbol.dispose]()
          controller.close()
        } catch (error) {
          place[Symbol.dispose]()
          controller.error(error)
        }
      },
      async cancel(reason) {
        place[Symbol.dispose]()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
