import { createParser } from 'eventsource-parser'

/** The end mark of a stream. */
export const doneMarker = '[DONE]'

/** Yields the data of each server-sent event of a body in order, until its end or the signal. */
export async function* readFrames(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) })
  const taken = () => {
    const frames = waiting
    waiting = []
    return frames
  }
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // The last event counts even if its closing blank line is missing.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      yield* taken()
      if (done) return
    }
  } finally {
    // Leaving the loop early cancels the call.
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
