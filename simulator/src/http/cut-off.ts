/** Returns a response whose body never arrives as a whole. */
export const cutOff = (status = 200): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'))
        controller.error(new Error('cut'))
      },
    }),
    { status },
  )
