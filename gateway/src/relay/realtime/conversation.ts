import {
  audioLengthOfClientEvent,
  emptyPrompt,
  noUsage,
  sessionFacts,
  spokenUse,
  textsOfClientEvent,
  usualSession,
  type JsonObject,
  type SessionFacts,
  type Usage,
} from '@tollgate/dialects'

import { countTokens, estimateTokens } from '../../billing/metering/tokens'
import type { CallView } from '../admission/call-view'

/** Tokens of a second of input audio and of output audio. https://platform.openai.com/docs/guides/realtime-costs */
const inputTokensPerSecond = 10
const outputTokensPerSecond = 20
/** The longest speech between two responses; audio beyond it counts as silence. */
const maxSpeechSeconds = 10 * 60

const bytesOf = (base64Length: number): number => base64Length * 0.75

/** Turns whose transcripts have not ended. */
const maxSegments = 256

/** What arrived of a response. */
export interface Output {
  readonly text: string
  /** The length of its base64 text. */
  readonly audioLength: number
}

/** Estimates the length of a conversation: the prompt of the next response, and the usage of a response that reports none. */
export class Conversation {
  #facts: SessionFacts = usualSession
  /** Prompt and completion tokens of the latest response, all of which the next one reads, and how many of them are audio. */
  #tokens = 0
  #audioTokens = 0
  /** Seconds of audio since the latest response. */
  #inputSeconds = 0
  /** Seconds of audio since the latest turn. */
  #uncommittedSeconds = 0
  /** Seconds of audio of turns that the client ended, and the upstream has not confirmed. */
  readonly #unconfirmed: number[] = []
  /** Seconds of audio of turns whose transcripts have not ended, by the id of the transcript. */
  readonly #segments = new Map<string, number>()
  #writtenTokens = 0
  /** The beginning of the texts and transcripts of the input since the latest response. */
  #inputText = ''

  /** `loggedInputLength`: how many characters of the input are kept for the log. */
  constructor(private readonly loggedInputLength = 0) {}

  get facts(): SessionFacts {
    return this.#facts
  }

  /** Follows the configuration that the upstream reports. */
  configure(session: JsonObject): void {
    this.#facts = sessionFacts(session, this.#facts)
  }

  get inputText(): string {
    return this.#inputText
  }

  addAudio(audioLength: number): void {
    this.#uncommittedSeconds += this.#hear(audioLength)
  }

  /** Adds a recording to the input, and returns its length in seconds. */
  #hear(audioLength: number): number {
    const seconds = bytesOf(audioLength) / this.#facts.inputBytesPerSecond
    this.#inputSeconds = Math.min(this.#inputSeconds + seconds, maxSpeechSeconds)
    return seconds
  }

  /** Adds the texts and recordings of a client's event, or ends a turn with it. */
  addClientEvent(event: JsonObject): void {
    if (event['type'] === 'input_audio_buffer.commit') return this.#endTurn()
    this.#hear(audioLengthOfClientEvent(event))
    for (const text of textsOfClientEvent(event)) {
      this.#writtenTokens += estimateTokens(text)
      this.#keep(text)
    }
  }

  /** A client that ends many turns at once has the rest of them counted as one. */
  #endTurn(): void {
    if (this.#uncommittedSeconds === 0 || this.#unconfirmed.length >= maxSegments) return
    this.#unconfirmed.push(this.#uncommittedSeconds)
    this.#uncommittedSeconds = 0
  }

  /** The input of a turn has ended, of which there may be a transcript: as the client said, or where the upstream heard silence. */
  commitSegment(partId: string): void {
    if (this.#unconfirmed.length === 0) this.#endTurn()
    const seconds = this.#unconfirmed.shift()
    if (seconds === undefined) return
    const [oldest] = this.#segments.keys()
    if (oldest !== undefined && this.#segments.size >= maxSegments) this.#segments.delete(oldest)
    this.#segments.set(partId, seconds + (this.#segments.get(partId) ?? 0))
  }

  /**
   * Returns how many seconds of audio, silence included, a transcript may be of; null where there was none that was not transcribed yet. An
   * upstream that reports no turns transcribes what was heard since the transcript before; one that reports them by other ids, in their order.
   */
  takeSegment(partId: string): number | null {
    if (!this.#segments.has(partId)) this.commitSegment(partId)
    const [oldest] = this.#segments.keys()
    const id = this.#segments.has(partId) ? partId : oldest
    const seconds = id === undefined ? undefined : this.#segments.get(id)
    if (id !== undefined) this.#segments.delete(id)
    return seconds ?? null
  }

  /** There is no transcript of a turn. */
  dropSegment(partId: string): void {
    this.#segments.delete(partId)
  }

  /** Adds a transcript to the input that is logged. */
  keepTranscript(text: string): void {
    this.#keep(text)
  }

  #keep(text: string): void {
    const room = this.loggedInputLength - this.#inputText.length - 1
    if (room > 0) this.#inputText += (this.#inputText === '' ? '' : '\n') + text.slice(0, room)
  }

  recordResponse({ promptTokens, completionTokens, ...parts }: Usage): void {
    this.#tokens = promptTokens + completionTokens
    const audio = parts.audioInputTokens + (parts.cachedAudioTokens ?? 0) + parts.audioOutputTokens
    this.#audioTokens = Math.min(audio, this.#tokens)
    this.#inputSeconds = 0
    this.#writtenTokens = 0
    this.#inputText = ''
  }

  /** Returns the next response as a call, for its quote. `limit` is that of its tokens; null: it has none. */
  nextResponse(model: string, limit = this.#facts.maxOutputTokens): CallView {
    const [seconds, audioTokens] = [this.#inputSeconds, this.#audioTokens]
    return {
      model,
      isStream: true,
      includeUsage: false,
      maxOutputTokens: limit,
      choices: 1,
      prompt: emptyPrompt,
      promptTokens: this.#tokens - audioTokens + this.#writtenTokens,
      promptReach: 'texts',
      possible: spokenUse,
      media: seconds + audioTokens === 0 ? null : { images: [], seconds: [seconds], audioTokens },
    }
  }

  /** Resolves with the estimated usage of a response that reports none, of at most this many tokens. */
  async estimate({ text, audioLength }: Output, model: string, maxTokens: number): Promise<Usage> {
    const audioInputTokens = Math.ceil(this.#inputSeconds * inputTokensPerSecond)
    const seconds = bytesOf(audioLength) / this.#facts.outputBytesPerSecond
    const audioOutputTokens = Math.min(Math.ceil(seconds * outputTokensPerSecond), maxTokens)
    return {
      ...noUsage,
      promptTokens: this.#tokens + this.#writtenTokens + audioInputTokens,
      completionTokens: Math.min((await countTokens(text, model)) + audioOutputTokens, maxTokens),
      audioInputTokens,
      audioOutputTokens,
    }
  }
}
