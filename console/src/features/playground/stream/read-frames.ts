import { createParser } from 'eventsource-parser'

/** The end of a stream, as its protocol marks it. */
export const doneMarker = '[DONE]'

/** The data of each server-sent event of a body, in order, wherever the network cut it; until the signal, if that comes first. */
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
      // The last event counts even where the blank line that closes it was left out.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      yield* taken()
      if (done) return
    }
  } finally {
    // Whoever stops reading early stops the call too.
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
