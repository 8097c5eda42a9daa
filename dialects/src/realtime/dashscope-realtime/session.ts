import { isObject, type JsonObject } from '../../core/json'
import { parsedObject } from '../../core/neutral/read'
import type { SessionTranslation, Translated } from '../openai-realtime/session-translation'
import { betaConfiguration, presentConfiguration } from './configuration'

const noMessages: readonly string[] = []

/** Events with another name in the beta. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['response.text.delta', 'response.output_text.delta'],
  ['response.text.done', 'response.output_text.done'],
  ['response.audio.delta', 'response.output_audio.delta'],
  ['response.audio.done', 'response.output_audio.done'],
  ['response.audio_transcript.delta', 'response.output_audio_transcript.delta'],
  ['response.audio_transcript.done', 'response.output_audio_transcript.done'],
  ['conversation.item.created', 'conversation.item.added'],
])

const audioType = /"type"\s*:\s*"response\.audio\.delta"/

/** A session in the events of OpenAI's beta, as Alibaba has it. https://www.alibabacloud.com/help/en/model-studio/server-events */
export class DashScopeSession implements SessionTranslation {
  readonly #resampler = new Resampler()

  fromClient(event: JsonObject): Translated {
    const { type, session, audio, item } = event
    const send = (...messages: JsonObject[]): Translated => ({
      toUpstream: messages.map((message) => JSON.stringify(message)),
      toClient: noMessages,
    })
    if (type === 'session.update' && isObject(session)) return send({ ...event, session: betaConfiguration(session) })
    if (type === 'input_audio_buffer.append' && typeof audio === 'string')
      return send({ ...event, audio: this.#resampler.push(audio) })
    if (type === 'conversation.item.create' && isObject(item)) {
      const images = imagesOf(item)
      if (images.length > 0) return send(...images.map((image) => ({ type: 'input_image_buffer.append', image })))
    }
    return send(event)
  }

  fromUpstream(text: string): Translated {
    if (audioType.test(text.slice(0, 300)))
      return { toUpstream: noMessages, toClient: [text.replace(audioType, '"type":"response.output_audio.delta"')] }
    const event = parsedObject(text)
    return { toUpstream: noMessages, toClient: event === null ? noMessages : [JSON.stringify(presentEvent(event))] }
  }
}

/** The vendor includes the transcription of the input in the usage of the response. */
const noUsage = { type: 'tokens', input_tokens: 0, output_tokens: 0, total_tokens: 0 }
const isOfTranscript = (type: unknown): boolean =>
  type === 'conversation.item.input_audio_transcription.completed' ||
  type === 'conversation.item.input_audio_transcription.delta'

function presentEvent(event: JsonObject): JsonObject {
  const { type, session, response, part, item, usage } = event
  return {
    ...event,
    ...(isOfTranscript(type) && usage === undefined && { usage: noUsage }),
    ...(typeof type === 'string' && { type: renamed.get(type) ?? type }),
    ...(isObject(session) && { session: presentConfiguration(session) }),
    ...(isObject(part) && { part: presentPart(part) }),
    ...(isObject(item) && { item: presentItem(item) }),
    ...(isObject(response) && { response: presentResponse(response) }),
  }
}

function presentResponse(response: JsonObject): JsonObject {
  const { output, usage } = response
  return {
    ...response,
    ...(Array.isArray(output) && { output: output.filter(isObject).map(presentItem) }),
    ...(isObject(usage) && { usage: presentUsage(usage) }),
  }
}

function presentUsage({
  input_tokens_details: input,
  output_tokens_details: output,
  ...usage
}: JsonObject): JsonObject {
  return {
    ...usage,
    ...(input !== undefined && { input_token_details: input }),
    ...(output !== undefined && { output_token_details: output }),
  }
}

const presentItem = (item: JsonObject): JsonObject =>
  Array.isArray(item['content']) && item['role'] === 'assistant'
    ? { ...item, content: item['content'].filter(isObject).map(presentPart) }
    : item

const presentPart = (part: JsonObject): JsonObject =>
  part['type'] === 'text' || part['type'] === 'audio' ? { ...part, type: `output_${part['type']}` } : part

/** Returns the base64 texts of the pictures of an item. */
function imagesOf({ content }: JsonObject): string[] {
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap(({ type, image_url: url }) => {
    const data =
      type === 'input_image' && typeof url === 'string' ? /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1] : undefined
    return data === undefined ? [] : [data]
  })
}

/** Turns PCM of 24,000 samples a second into 16,000: every three samples become two. Keeps what makes no whole three yet. */
class Resampler {
  #rest: Buffer = Buffer.alloc(0)

  /** Takes and returns base64 text. */
  push(base64: string): string {
    const bytes = Buffer.concat([this.#rest, Buffer.from(base64, 'base64')])
    const triples = Math.floor(bytes.length / 6)
    this.#rest = bytes.subarray(triples * 6)
    const resampled = Buffer.alloc(triples * 4)
    for (let at = 0; at < triples; at += 1) {
      const [from, to] = [at * 6, at * 4]
      resampled.writeInt16LE(bytes.readInt16LE(from), to)
      resampled.writeInt16LE(Math.round((bytes.readInt16LE(from + 2) + bytes.readInt16LE(from + 4)) / 2), to + 2)
    }
    return resampled.toString('base64')
  }
}
