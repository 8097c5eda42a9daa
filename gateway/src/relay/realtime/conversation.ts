import {
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

import { countTokens, estimateTokens } from '../../metering/tokens'
import type { CallView } from '../admission/call-view'

/** Tokens of a second of input audio and of output audio. https://platform.openai.com/docs/guides/realtime-costs */
const inputTokensPerSecond = 10
const outputTokensPerSecond = 20
/** The longest speech between two responses; audio beyond it counts as silence. */
const longestSpeechSeconds = 10 * 60

const bytesOf = (base64Length: number): number => base64Length * 0.75

/** What arrived of a response. */
export interface Output {
  readonly text: string
  /** The length of its base64 text. */
  readonly audioLength: number
}

/** Estimates the length of a conversation: the prompt of the next response, and the usage of a response that reports none. */
export class Conversation {
  #facts: SessionFacts = usualSession
  /** Prompt and completion tokens of the latest response, all of which the next one reads. */
  #tokens = 0
  #inputAudioBytes = 0
  /** Audio since the latest transcript. */
  #untranscribedBytes = 0
  #writtenTokens = 0
  /** The beginning of the texts and transcripts of the input since the latest response. */
  #inputText = ''

  /** `keptLength`: how many characters of the input are kept for the log. */
  constructor(private readonly keptLength = 0) {}

  get facts(): SessionFacts {
    return this.#facts
  }

  /** Follows the configuration that the upstream reports. */
  configured(session: JsonObject): void {
    this.#facts = sessionFacts(session, this.#facts)
  }

  get inputText(): string {
    return this.#inputText
  }

  addAudio(audioLength: number): void {
    this.#inputAudioBytes += bytesOf(audioLength)
    this.#untranscribedBytes += bytesOf(audioLength)
  }

  /** Adds the texts of a client's event. */
  requested(event: JsonObject): void {
    for (const text of textsOfClientEvent(event)) {
      this.#writtenTokens += estimateTokens(text)
      this.#keep(text)
    }
  }

  /** Returns how many seconds of audio the transcript is of, silence included. */
  transcribed(text: string): number {
    const seconds = this.#secondsOf(this.#untranscribedBytes)
    this.#untranscribedBytes = 0
    this.#keep(text)
    return seconds
  }

  #keep(text: string): void {
    const room = this.keptLength - this.#inputText.length - 1
    if (room > 0) this.#inputText += (this.#inputText === '' ? '' : '\n') + text.slice(0, room)
  }

  responded({ promptTokens, completionTokens }: Usage): void {
    this.#tokens = promptTokens + completionTokens
    this.#inputAudioBytes = 0
    this.#writtenTokens = 0
    this.#inputText = ''
  }

  /** Returns the next response as a call, for its quote. */
  nextResponse(model: string): CallView {
    const seconds = this.#inputSeconds
    return {
      model,
      isStream: true,
      includeUsage: false,
      maxOutputTokens: this.#facts.maxOutputTokens,
      choices: 1,
      prompt: emptyPrompt,
      promptTokens: this.#tokens + this.#writtenTokens,
      promptReach: 'texts',
      possible: spokenUse,
      media: seconds === 0 ? null : { images: [], seconds: [seconds] },
    }
  }

  /** Resolves with the estimated usage of a response that reports none. */
  async estimate({ text, audioLength }: Output, model: string): Promise<Usage> {
    const audioInputTokens = Math.ceil(this.#inputSeconds * inputTokensPerSecond)
    const seconds = bytesOf(audioLength) / this.#facts.outputBytesPerSecond
    const audioOutputTokens = Math.ceil(seconds * outputTokensPerSecond)
    return {
      ...noUsage,
      promptTokens: this.#tokens + this.#writtenTokens + audioInputTokens,
      completionTokens: (await countTokens(text, model)) + audioOutputTokens,
      audioInputTokens,
      audioOutputTokens,
    }
  }

  /** Since the latest response, silence included. */
  get #inputSeconds(): number {
    return this.#secondsOf(this.#inputAudioBytes)
  }

  #secondsOf(bytes: number): number {
    return Math.min(bytes / this.#facts.inputBytesPerSecond, longestSpeechSeconds)
  }
}
