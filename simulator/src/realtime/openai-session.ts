import { isObject, type JsonObject } from '../json'
import type { RealtimeBehaviour, RealtimeUsage, SessionScript, StandInSession } from './script'

/** What a response uses where its script does not say. */
const usualUsage: RealtimeUsage = { textIn: 20, audioIn: 100, textOut: 10, audioOut: 40 }

/** The usage of a response as OpenAI reports it. */
function usageReport(usage: RealtimeUsage): JsonObject {
  const { textIn = 0, audioIn = 0, imageIn = 0, cachedText = 0, cachedAudio = 0, textOut = 0, audioOut = 0 } = usage
  const [input, output] = [textIn + audioIn + imageIn, textOut + audioOut]
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: textIn,
      audio_tokens: audioIn,
      image_tokens: imageIn,
      cached_tokens: cachedText + cachedAudio,
      cached_tokens_details: { text_tokens: cachedText, audio_tokens: cachedAudio, image_tokens: 0 },
    },
    output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
  }
}

/** A session in OpenAI's events, as at https://platform.openai.com/docs/api-reference/realtime-server-events. */
export class OpenAiSession implements StandInSession {
  #count = 0
  #session: JsonObject
  /** Cancels the response that runs. */
  #cancel: (() => void) | null = null

  /** `isBeta`: in the shape that the events had in the beta, which Alibaba's have. */
  constructor(
    private readonly script: SessionScript,
    private readonly isBeta: boolean,
  ) {
    this.#session = { type: 'realtime', object: 'realtime.session', id: 'sess_1', model: script.model }
    this.#sendEvent('session.created', { session: this.#session })
  }

  receive(event: JsonObject): void {
    const { type } = event
    if (type === 'session.update') this.#update(event['session'])
    else if (type === 'conversation.item.create') this.#sendEvent('conversation.item.added', { item: event['item'] })
    else if (type === 'input_audio_buffer.commit') void this.#commit()
    else if (type === 'response.create') void this.#respond(this.script.next())
    else if (type === 'response.cancel') this.#cancel?.()
  }

  #update(change: unknown): void {
    if (isObject(change)) this.#session = { ...this.#session, ...change }
    this.#sendEvent('session.updated', { session: this.#session })
  }

  async #commit(): Promise<void> {
    const about = { item_id: `item_${(this.#count += 1)}`, content_index: 0 }
    this.#sendEvent('input_audio_buffer.committed', about)
    const transcription = this.script.transcription()
    if (!transcription) return
    const { usage, gate, isRepeated } = transcription
    const event = 'conversation.item.input_audio_transcription'
    const transcript = 'what was said'
    this.#sendEvent(`${event}.delta`, { ...about, delta: transcript })
    if (gate) await gate
    const ends = isRepeated ? 2 : 1
    for (let end = 0; end < ends; end += 1) this.#sendEvent(`${event}.completed`, { ...about, transcript, usage })
  }

  async #respond(behaviour: RealtimeBehaviour) {
    const { messages } = behaviour
    if (messages === undefined) return this.#speak(behaviour)
    for (const message of messages) this.script.send(JSON.stringify(message))
  }

  async #speak({ text = 'Hello there', audio = 2, usage = usualUsage, gate, fault }: RealtimeBehaviour) {
    const id = fault === 'no-id' ? '' : `resp_${(this.#count += 1)}`
    const about = { response_id: id, item_id: 'item_2', output_index: 0, content_index: 0 }
    let isCancelled = false
    this.#sendEvent('response.created', { response: { id, object: 'realtime.response', status: 'in_progress' } })
    for (let part = 0; part < audio; part += 1)
      this.#sendEvent('response.output_audio.delta', { ...about, delta: Buffer.alloc(4_800).toString('base64') })
    this.#sendEvent('response.output_audio_transcript.delta', { ...about, delta: text })
    if (fault === 'break') return this.script.break()
    if (gate) {
      const cancelled = new Promise<void>((resolve) => (this.#cancel = resolve)).then(() => (isCancelled = true))
      await Promise.race([gate, cancelled])
      this.#cancel = null
    }
    const status = isCancelled ? 'cancelled' : 'completed'
    const output = [{ id: 'item_2', type: 'message', content: [{ type: 'output_audio', transcript: text }] }]
    const done = { id, object: 'realtime.response', status, output, ...(usage && { usage: usageReport(usage) }) }
    this.#sendEvent('response.done', { response: done })
    if (usage) this.script.recordUsage(usage)
    if (fault === 'repeat') this.#sendEvent('response.done', { response: done })
    if (fault === 'close') this.script.close()
  }

  #sendEvent(type: string, event: JsonObject): void {
    const name = this.isBeta ? betaName(type) : type
    this.script.send(JSON.stringify({ type: name, event_id: `event_${(this.#count += 1)}`, ...event }))
  }
}

const betaName = (type: string): string =>
  type
    .replace('response.output_audio', 'response.audio')
    .replace('conversation.item.added', 'conversation.item.created')
