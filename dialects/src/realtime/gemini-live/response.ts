import { isObject, type JsonObject } from '../../core/json'

/** Sends an event to the client. */
type Emit = (type: string, event: JsonObject) => void

interface Ids {
  readonly newId: (prefix: string) => string
}

/** What the end of a response repeats of its text: far more than a model says. */
const maxTextLength = 1024 * 1024

/** A response in progress, as OpenAI's events. An item begins with its first content. */
export class LiveResponse {
  readonly #id: string
  readonly #output: JsonObject[] = []
  #message: { readonly id: string; readonly type: 'output_audio' | 'output_text'; text: string } | null = null

  constructor(
    private readonly emit: Emit,
    private readonly ids: Ids,
  ) {
    this.#id = ids.newId('resp_')
    emit('response.created', { response: { ...this.#body('in_progress'), output: [] } })
  }

  audio(delta: string): void {
    const item = this.#ensureMessage('output_audio')
    this.emit('response.output_audio.delta', { ...this.#place(item.id), delta })
  }

  /** Adds the transcript of speech, or text in responses without speech. */
  text(delta: string, isSpoken: boolean): void {
    const item = this.#ensureMessage(isSpoken ? 'output_audio' : 'output_text')
    if (item.text.length < maxTextLength) item.text += delta
    const type = isSpoken ? 'response.output_audio_transcript.delta' : 'response.output_text.delta'
    this.emit(type, { ...this.#place(item.id), delta })
  }

  call(callId: string, name: string, args: string): void {
    this.#endMessage()
    const item = { id: this.ids.newId('item_'), object: 'realtime.item', type: 'function_call', call_id: callId, name }
    const place = { response_id: this.#id, item_id: item.id, output_index: this.#output.length, call_id: callId, name }
    this.emit('response.output_item.added', {
      response_id: this.#id,
      output_index: this.#output.length,
      item: { ...item, status: 'in_progress', arguments: '' },
    })
    this.emit('response.function_call_arguments.delta', { ...place, delta: args })
    this.emit('response.function_call_arguments.done', { ...place, arguments: args })
    this.#endItem({ ...item, status: 'completed', arguments: args })
  }

  /** `usage` is null where it is reported later, or never. */
  end(status: 'completed' | 'cancelled', usage: JsonObject | null): void {
    this.#endMessage()
    this.emit('response.done', { response: { ...this.#body(status), output: this.#output, usage } })
  }

  #body(status: string): JsonObject {
    return { id: this.#id, object: 'realtime.response', status }
  }

  #place(itemId: string): JsonObject {
    return { response_id: this.#id, item_id: itemId, output_index: this.#output.length, content_index: 0 }
  }

  #ensureMessage(type: 'output_audio' | 'output_text') {
    if (this.#message) return this.#message
    const message = { id: this.ids.newId('item_'), type, text: '' }
    this.#message = message
    this.emit('response.output_item.added', {
      response_id: this.#id,
      output_index: this.#output.length,
      item: { ...itemOf(message.id), status: 'in_progress', content: [] },
    })
    const part = type === 'output_text' ? { type, text: '' } : { type, transcript: '' }
    this.emit('response.content_part.added', { ...this.#place(message.id), part })
    return message
  }

  #endMessage(): void {
    const message = this.#message
    if (!message) return
    this.#message = null
    const { id, type, text } = message
    const place = this.#place(id)
    const part = type === 'output_text' ? { type, text } : { type, transcript: text }
    if (type === 'output_text') this.emit('response.output_text.done', { ...place, text })
    else {
      this.emit('response.output_audio.done', place)
      this.emit('response.output_audio_transcript.done', { ...place, transcript: text })
    }
    this.emit('response.content_part.done', { ...place, part })
    this.#endItem({ ...itemOf(id), status: 'completed', content: [part] })
  }

  #endItem(item: JsonObject): void {
    this.emit('response.output_item.done', { response_id: this.#id, output_index: this.#output.length, item })
    this.#output.push(item)
  }
}

const itemOf = (id: string): JsonObject => ({ id, object: 'realtime.item', type: 'message', role: 'assistant' })

const sumOf = (details: unknown, modality: string): number => {
  if (!Array.isArray(details)) return 0
  return details
    .filter(isObject)
    .filter((entry) => entry['modality'] === modality)
    .reduce((sum, { tokenCount }) => sum + numberOf(tokenCount), 0)
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Returns what a turn used as OpenAI reports it. https://ai.google.dev/api/live#UsageMetadata */
export function presentUsage(reported: JsonObject): JsonObject {
  const input = numberOf(reported['promptTokenCount']) + numberOf(reported['toolUsePromptTokenCount'])
  const thoughts = numberOf(reported['thoughtsTokenCount'])
  const output = numberOf(reported['responseTokenCount'] ?? reported['candidatesTokenCount']) + thoughts
  const { promptTokensDetails: prompt, cacheTokensDetails: cache } = reported
  const response = reported['responseTokensDetails'] ?? reported['candidatesTokensDetails']
  const [audioIn, imageIn] = [sumOf(prompt, 'AUDIO'), sumOf(prompt, 'IMAGE') + sumOf(prompt, 'VIDEO')]
  const audioOut = sumOf(response, 'AUDIO')
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: Math.max(input - audioIn - imageIn, 0),
      audio_tokens: audioIn,
      image_tokens: imageIn,
      cached_tokens: numberOf(reported['cachedContentTokenCount']),
      cached_tokens_details: { audio_tokens: sumOf(cache, 'AUDIO'), image_tokens: sumOf(cache, 'IMAGE') },
    },
    output_token_details: {
      text_tokens: Math.max(output - audioOut, 0),
      audio_tokens: audioOut,
      reasoning_tokens: thoughts,
    },
  }
}
