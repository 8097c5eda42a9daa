import { type ClientEvent, limitSize, readMessage } from '../openai-realtime/client-events'
import { readSessionReport, type SessionReport } from '../openai-realtime/server-events'
import type { SessionProtocol, TranslatedSession } from '../openai-realtime/session'
import { LiveSession } from './session'
import { contentsPrompt } from '../../chat/gemini/prompt'
import { liveNames } from '../../chat/gemini/known-names'
import { listOf, member, memberList, memberObject } from '../../core/shared/google-members'
import type { JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'

/** The protocol of Google's own clients, whose messages pass as they are. What they mean is told by the translation into OpenAI's events. */
export class LiveProtocol implements SessionProtocol {
  readonly cancel = null
  readonly hasErrorEvents = false
  readonly #observed: LiveSession
  #hasSetup = false

  constructor(session: TranslatedSession) {
    this.#observed = new LiveSession(session)
    this.#observed.opening()
  }

  /** A configuration is taken once: a later one could name another model. */
  read(text: string): ClientEvent {
    const read = readLiveMessage(text)
    if (read.kind !== 'event' || read.type !== 'session.update') return read
    if (this.#hasSetup) return { kind: 'malformed' }
    this.#hasSetup = true
    return read
  }

  reports(text: string): readonly SessionReport[] {
    return this.#observed.fromUpstream(text).toClient.flatMap((event) => readSessionReport(event) ?? [])
  }
}

/** What clients record; what is said is played at another rate. https://ai.google.dev/gemini-api/docs/live-guide#audio-formats */
const audio = {
  input: { format: { type: 'audio/pcm', rate: 16_000 } },
  output: { format: { type: 'audio/pcm', rate: 24_000 } },
}

/**
 * Returns what a client of Google's sends, in OpenAI's terms: a setup is a configuration, which `model` stands beside; everything else but plain
 * recordings adds to the conversation. https://ai.google.dev/api/live#BidiGenerateContentClientMessage
 */
export function readLiveMessage(text: string): ClientEvent {
  const read = readMessage(text, liveNames)
  if (read.kind !== 'message') return read
  const { message } = read
  const setup = member(message, 'setup')
  if (setup !== undefined) return limitSize(text, configuration(memberObject(message, 'setup')))
  const input = memberObject(message, 'realtimeInput')
  const recordings = recordingsOf([...memberList(input, 'audio'), ...memberList(input, 'mediaChunks')])
  const texts = [...textsOf(message), textOf(input['text'])].filter((one) => one !== '')
  const parts = memberList(memberObject(message, 'clientContent'), 'turns').flatMap((turn) => listOf(turn['parts']))
  const spoken = recordingsOf(parts.map((part) => memberObject(part, 'inlineData')))
  if (texts.length + spoken.length === 0 && recordings.length > 0)
    return { kind: 'audio', audioLength: recordings.reduce((sum, { length }) => sum + length, 0) }
  const content = [
    ...texts.map((one) => ({ type: 'input_text', text: one })),
    ...[...recordings, ...spoken].map((data) => ({ type: 'input_audio', audio: data })),
  ]
  const type = 'conversation.item.create'
  return limitSize(text, { kind: 'event', type, event: { type, item: { type: 'message', role: 'user', content } } })
}

function configuration(setup: JsonObject): ClientEvent {
  const type = 'session.update'
  const limit = member(memberObject(setup, 'generationConfig'), 'maxOutputTokens')
  const { texts, tools: declared } = contentsPrompt(setup)
  const session = {
    instructions: [...texts, ...declared.map((tool) => JSON.stringify(tool))].join('\n'),
    tools: listOf(setup['tools']),
    max_output_tokens: typeof limit === 'number' ? limit : 'inf',
    audio,
  }
  return { kind: 'event', type, event: { type, model: modelIn(setup), session } }
}

/** A name is a path: `models/…`, on Vertex AI behind a project and a publisher. */
const modelIn = (setup: JsonObject): string => textOf(setup['model']).replace(/^(?:.*\/)?models\//s, '')

/**
 * Returns a setup with the upstream's name for the model, and with this limit of each response; any other message as it is. `limit` null: the
 * client's.
 */
export function withLiveModel(text: string, model: string, limit: number | null = null): string {
  const message = JSON.parse(text) as JsonObject
  const setup = memberObject(message, 'setup')
  const name = `models/${model}`
  if (limit === null && setup['model'] === name) return text
  const generationConfig = { ...memberObject(setup, 'generationConfig'), maxOutputTokens: limit }
  return JSON.stringify({ ...message, setup: { ...setup, model: name, ...(limit !== null && { generationConfig }) } })
}

function textsOf(message: JsonObject): readonly string[] {
  const turns = memberList(memberObject(message, 'clientContent'), 'turns')
  const results = memberList(memberObject(message, 'toolResponse'), 'functionResponses')
  const parts = results.map((functionResponse) => ({ functionResponse }))
  return contentsPrompt({ contents: [...turns, { parts }] }).texts
}

const recordingsOf = (blobs: readonly JsonObject[]): readonly string[] =>
  blobs.filter((blob) => /^audio\//i.test(textOf(member(blob, 'mimeType')))).map(({ data }) => textOf(data))
