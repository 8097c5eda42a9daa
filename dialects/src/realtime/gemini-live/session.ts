import { isObject, type JsonObject } from '../../core/json'
import { parsedObject, textOf } from '../../core/neutral/read'
import type { SessionTranslation, Translated, TranslatedSession } from '../openai-realtime/session'
import { LiveResponse, presentUsage } from './response'
import { detectsSpeech, setupOf } from './setup'

/** Far more than are answered late, and than is said between two responses. */
const maxCalls = 1000
const maxHeardLength = 256 * 1024

const pcm = { type: 'audio/pcm', rate: 24_000 }

/** Later models take text in the course of a conversation only as it comes from a microphone. */
const takesTurns = (model: string): boolean => /^gemini-[12]/.test(model)

/**
 * A session with Gemini Live. Its setup is the first configuration that the client sends, or none where it begins with something else;
 * what comes before the setup is confirmed waits. https://ai.google.dev/api/live
 */
export class LiveSession implements SessionTranslation {
  #configuration: JsonObject
  #hasSetup = false
  #isReady = false
  #isSpeaking = false
  /** What waits for the setup to be confirmed. */
  readonly #early: string[] = []
  #waitingLength = 0
  /** Written by the client, and not sent until it requests a response. */
  #written: string[] = []
  /** The last item was the result of a tool, to which the model responds by itself. */
  #hasAnsweredTool = false
  /** Names of the latest calls, by id. */
  readonly #calls = new Map<string, string>()
  #response: LiveResponse | null = null
  #usage: JsonObject | null = null
  /** The latest response ended with a call of a tool whose usage has not been reported. */
  #isUsageLate = false
  /** The user interrupted the response; its turn has not ended yet. */
  #isInterrupted = false
  #heard = ''
  #toUpstream: string[] = []
  #toClient: string[] = []

  constructor(private readonly session: TranslatedSession) {
    const { model, newId, maxOutputTokens } = session
    this.#configuration = {
      type: 'realtime',
      object: 'realtime.session',
      id: newId('sess_'),
      model,
      output_modalities: ['audio'],
      instructions: '',
      tools: [],
      tool_choice: 'auto',
      max_output_tokens: maxOutputTokens ?? 'inf',
      audio: {
        input: { format: pcm, transcription: null, turn_detection: { type: 'server_vad' } },
        output: { format: pcm },
      },
    }
  }

  get waitingLength(): number {
    return this.#waitingLength
  }

  opening(): Translated {
    this.#emit('session.created', { session: this.#configuration })
    return this.#takeMessages()
  }

  fromClient(event: JsonObject): Translated {
    const { type } = event
    if (type === 'session.update') this.#configure(event)
    else this.#setUp()
    if (type === 'input_audio_buffer.append') this.#hear(event['audio'])
    else if (type === 'input_audio_buffer.commit') this.#endSpeech()
    else if (type === 'conversation.item.create' && isObject(event['item'])) this.#add(event['item'])
    else if (type === 'response.create') this.#requestResponse(event['response'])
    return this.#takeMessages()
  }

  fromUpstream(text: string): Translated {
    const message = parsedObject(text) ?? {}
    if ('setupComplete' in message) this.#ready()
    // A message may hold several of these, and the usage belongs to the turn that it ends.
    if (isObject(message['usageMetadata'])) this.#usage = message['usageMetadata']
    if (isObject(message['serverContent'])) this.#content(message['serverContent'])
    if (isObject(message['toolCall'])) this.#call(message['toolCall'])
    if (this.#isUsageLate && this.#usage !== null && !this.#response) this.#endTurn()
    return this.#takeMessages()
  }

  #takeMessages(): Translated {
    const translated = { toUpstream: this.#toUpstream, toClient: this.#toClient }
    this.#toUpstream = []
    this.#toClient = []
    return translated
  }

  #emit(type: string, event: JsonObject): void {
    this.#toClient.push(JSON.stringify({ type, event_id: this.session.newId('event_'), ...event }))
  }

  #send(message: JsonObject): void {
    const text = JSON.stringify(message)
    if (this.#isReady || 'setup' in message) this.#toUpstream.push(text)
    else {
      this.#early.push(text)
      this.#waitingLength += text.length
    }
  }

  #setUp(): void {
    if (this.#hasSetup) return
    this.#hasSetup = true
    this.#send(setupOf(this.session.model, this.#configuration))
  }

  #ready(): void {
    this.#isReady = true
    for (const text of this.#early.splice(0)) {
      this.#toUpstream.push(text)
      this.#waitingLength -= text.length
    }
  }

  #configure(event: JsonObject): void {
    const { session, event_id: eventId = null } = event
    if (this.#hasSetup) {
      const message = 'This model takes the configuration of a session once, before anything else is sent.'
      const error = { type: 'invalid_request_error', code: 'session_already_configured', message, param: 'session' }
      this.#emit('error', { error: { ...error, event_id: eventId } })
      return
    }
    this.#configuration = mergeObjects(this.#configuration, isObject(session) ? session : {})
    this.#emit('session.updated', { session: this.#configuration })
    this.#setUp()
  }

  #hear(audio: unknown): void {
    if (typeof audio !== 'string') return
    if (!this.#isSpeaking && !detectsSpeech(this.#configuration)) this.#send({ realtimeInput: { activityStart: {} } })
    this.#isSpeaking = true
    this.#send({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=24000', data: audio } } })
  }

  #endSpeech(): void {
    this.#isSpeaking = false
    this.#emit('input_audio_buffer.committed', { item_id: this.session.newId('item_') })
    this.#send({
      realtimeInput: detectsSpeech(this.#configuration) ? { audioStreamEnd: true } : { activityEnd: {} },
    })
  }

  #add(item: JsonObject): void {
    const { type, call_id: id, output, content, role } = item
    const added = { id: this.session.newId('item_'), object: 'realtime.item', status: 'completed', ...item }
    if (type === 'function_call_output' && typeof id === 'string') {
      const name = this.#calls.get(id) ?? id
      this.#send({ toolResponse: { functionResponses: [{ id, name, response: { output } }] } })
      this.#hasAnsweredTool = true
    } else if (Array.isArray(content)) for (const part of content.filter(isObject)) this.#addPart(part, role)
    this.#emit('conversation.item.added', { item: added })
    this.#emit('conversation.item.done', { item: added })
  }

  #addPart({ text, image_url: url, audio }: JsonObject, role: unknown): void {
    this.#hasAnsweredTool = false
    const [, mimeType, data] = (typeof url === 'string' && /^data:([^;,]*);base64,(.*)$/s.exec(url)) || []
    if (data !== undefined) this.#send({ realtimeInput: { video: { mimeType, data } } })
    if (typeof audio === 'string') this.#hear(audio)
    if (typeof text !== 'string') return
    if (role !== 'assistant') this.#write(text)
    else this.#send({ clientContent: { turns: [turnOf('model', text)], turnComplete: false } })
  }

  #write(text: string): void {
    this.#written.push(text)
    this.#waitingLength += text.length
  }

  #requestResponse(response: unknown): void {
    const instructions = isObject(response) ? response['instructions'] : undefined
    if (typeof instructions === 'string') this.#write(instructions)
    const text = this.#written.join('\n')
    for (const written of this.#written.splice(0)) this.#waitingLength -= written.length
    if (this.#hasAnsweredTool || (text === '' && !takesTurns(this.session.model))) return
    if (!takesTurns(this.session.model)) return this.#send({ realtimeInput: { text } })
    const turns = text === '' ? [] : [turnOf('user', text)]
    this.#send({ clientContent: { turns, turnComplete: true } })
  }

  #content({ modelTurn, inputTranscription, outputTranscription, interrupted, turnComplete }: JsonObject): void {
    if (isObject(inputTranscription) && this.#heard.length < maxHeardLength)
      this.#heard += textOf(inputTranscription['text'])
    if (isObject(modelTurn) && Array.isArray(modelTurn['parts']))
      for (const part of modelTurn['parts'].filter(isObject)) this.#part(part)
    if (isObject(outputTranscription)) {
      const text = textOf(outputTranscription['text'])
      if (text !== '') this.#running().text(text, true)
    }
    if (interrupted === true) {
      this.#emit('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: this.session.newId('item_') })
      this.#isInterrupted = true
    }
    if (turnComplete === true) this.#endTurn()
  }

  #part({ inlineData, text, thought }: JsonObject): void {
    if (thought === true) return
    if (isObject(inlineData)) this.#running().audio(textOf(inlineData['data']))
    else if (typeof text === 'string' && text !== '') this.#running().text(text, false)
  }

  #call({ functionCalls }: JsonObject): void {
    this.#emitTranscript()
    if (!Array.isArray(functionCalls)) return
    for (const { id, name, args } of functionCalls.filter(isObject)) {
      const callId = typeof id === 'string' ? id : this.session.newId('call_')
      this.#remember(callId, textOf(name))
      this.#running().call(callId, textOf(name), JSON.stringify(args ?? {}))
    }
    this.#isUsageLate = this.#usage === null
    this.#endTurn()
  }

  #remember(callId: string, name: string): void {
    this.#calls.set(callId, name)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > maxCalls && oldest !== undefined) this.#calls.delete(oldest)
  }

  #running(): LiveResponse {
    this.#emitTranscript()
    this.#hasAnsweredTool = false
    return (this.#response ??= new LiveResponse((type, event) => this.#emit(type, event), this.session))
  }

  /** The vendor includes the transcription of the input in the usage of the response. */
  #emitTranscript(): void {
    if (this.#heard === '') return
    const type = 'conversation.item.input_audio_transcription.completed'
    const usage = { type: 'tokens', input_tokens: 0, output_tokens: 0, total_tokens: 0 }
    this.#emit(type, { item_id: this.session.newId('item_'), content_index: 0, transcript: this.#heard, usage })
    this.#heard = ''
  }

  #endTurn(): void {
    if (!this.#response && this.#usage === null) return
    const usage = this.#usage && presentUsage(this.#usage)
    this.#running().end(this.#isInterrupted ? 'cancelled' : 'completed', usage)
    if (usage) this.#isUsageLate = false
    this.#response = null
    this.#usage = null
    this.#isInterrupted = false
  }
}

const turnOf = (role: 'user' | 'model', text: string): JsonObject => ({ role, parts: [{ text }] })

/** Objects within are merged, everything else is replaced. */
function mergeObjects(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = result[name]
    result[name] = isObject(before) && isObject(value) ? mergeObjects(before, value) : value
  }
  return result
}
