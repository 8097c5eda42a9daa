import type { Dialect } from '../core/dialect'
import { openAiRealtime } from './openai-realtime/dialect'
import { isObject, type JsonObject } from '../core/json'
import { objectOf, parsedObject } from '../core/neutral/read'
import type { SessionTranslation, Translated } from './openai-realtime/session'

/** Events over a WebSocket in the shape that OpenAI's had in its beta. https://www.alibabacloud.com/help/en/model-studio/realtime */
export const dashScopeRealtime: Dialect = { ...openAiRealtime, id: 'dashscope-realtime', headers: [] }

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

/** What is taken over under its own name. */
const unchangedMembers = ['instructions', 'temperature', 'tool_choice'] as const

/**
 * Returns a session's configuration as Alibaba takes it, which is that of OpenAI's beta. Audio goes in at 16,000 samples a second and
 * comes out at 24,000. https://www.alibabacloud.com/help/en/model-studio/client-events
 */
function betaConfiguration(session: JsonObject): JsonObject {
  const input = objectOf(objectOf(session['audio'])['input'])
  const output = objectOf(objectOf(session['audio'])['output'])
  const { output_modalities: modalities, tools, max_output_tokens: limit } = session
  const configuration: JsonObject = { input_audio_format: 'pcm', output_audio_format: 'pcm' }
  for (const name of unchangedMembers) if (session[name] !== undefined) configuration[name] = session[name]
  if (Array.isArray(modalities))
    configuration['modalities'] = modalities.includes('audio') ? ['text', 'audio'] : ['text']
  if (output['voice'] !== undefined) configuration['voice'] = output['voice']
  if ('turn_detection' in input) configuration['turn_detection'] = input['turn_detection']
  if ('transcription' in input) configuration['input_audio_transcription'] = input['transcription']
  if (Array.isArray(tools)) configuration['tools'] = tools.filter(isObject).map(nestedTool)
  if (typeof limit === 'number') configuration['max_tokens'] = limit
  return configuration
}

const nestedTool = ({ type = 'function', ...described }: JsonObject): JsonObject => ({ type, function: described })

const pcm = { type: 'audio/pcm', rate: 24_000 }

/** Returns a configuration that the vendor reports, as OpenAI would. */
function presentConfiguration(session: JsonObject): JsonObject {
  const { id, model, modalities, voice, instructions, tools, tool_choice: choice, max_tokens: limit } = session
  const isSpoken = !Array.isArray(modalities) || modalities.includes('audio')
  return {
    type: 'realtime',
    object: 'realtime.session',
    id,
    model,
    output_modalities: [isSpoken ? 'audio' : 'text'],
    instructions,
    tools: Array.isArray(tools) ? tools.filter(isObject).map(flatTool) : [],
    tool_choice: choice,
    max_output_tokens: typeof limit === 'number' ? limit : 'inf',
    audio: {
      input: {
        format: pcm,
        transcription: session['input_audio_transcription'] ?? null,
        turn_detection: session['turn_detection'] ?? null,
      },
      output: { format: pcm, voice },
    },
  }
}

const flatTool = ({ type, function: described }: JsonObject): JsonObject => ({
  type,
  ...(isObject(described) ? described : {}),
})
