import {
  noUsage,
  sessionFacts,
  spokenUse,
  textsOfClientEvent,
  usualSession,
  type JsonObject,
  type PromptShape,
  type SessionFacts,
  type Usage,
} from '@tollgate/dialects'

import { countTokens, estimateTokens } from '../../metering/tokens'
import type { CallView } from '../admission/call-view'

/** Tokens of a second of what is said to a model and by it. https://platform.openai.com/docs/guides/realtime-costs */
const heardTokensPerSecond = 10
const spokenTokensPerSecond = 20
/** What is said between two responses; more of it is silence. */
const longestSpeechSeconds = 10 * 60

const emptyPrompt: PromptShape = Object.freeze({
  texts: [],
  messages: 0,
  names: 0,
  tools: [],
  lowDetailImages: 0,
  images: 0,
  audios: 0,
  files: 0,
  tokenIds: 0,
})

const bytesOf = (base64Length: number): number => base64Length * 0.75

/** What arrived of a response. */
export interface Output {
  readonly text: string
  /** The length of its base64 text. */
  readonly audioLength: number
}

/** How long a conversation is, as far as it can be known: what the next response reads, and what one used that does not say. */
export class Conversation {
  #facts: SessionFacts = usualSession
  /** What the latest response read and wrote: all of it is read by the next one. */
  #tokens = 0
  #heardBytes = 0
  #writtenTokens = 0
  /** What was written and said since the latest response. */
  #said: string[] = []

  get facts(): SessionFacts {
    return this.#facts
  }

  /** Follows the configuration that the upstream reports. */
  configured(session: JsonObject): void {
    this.#facts = sessionFacts(session, this.#facts)
  }

  get said(): string {
    return this.#said.join('\n')
  }

  heard(audioLength: number): void {
    this.#heardBytes += bytesOf(audioLength)
  }

  /** Adds what a client wrote into the conversation. */
  requested(event: JsonObject): void {
    const texts = textsOfClientEvent(event)
    for (const text of texts) this.#writtenTokens += estimateTokens(text)
    this.#said.push(...texts)
  }

  transcribed(text: string): void {
    this.#said.push(text)
  }

  responded({ promptTokens, completionTokens }: Usage): void {
    this.#tokens = promptTokens + completionTokens
    this.#heardBytes = 0
    this.#writtenTokens = 0
    this.#said = []
  }

  /** Returns the call that the next response would be. */
  nextResponse(model: string): CallView {
    const seconds = this.heardSeconds
    return {
      model,
      isStream: true,
      includeUsage: false,
      maxOutputTokens: this.#facts.maxOutputTokens,
      choices: 1,
      prompt: emptyPrompt,
      promptTokens: this.#tokens + this.#writtenTokens,
      possible: spokenUse,
      media: seconds === 0 ? null : { images: [], seconds: [seconds] },
    }
  }

  /** Resolves with what a response used that does not report it. */
  async estimate({ text, audioLength }: Output, model: string): Promise<Usage> {
    const audioInputTokens = Math.ceil(this.heardSeconds * heardTokensPerSecond)
    const seconds = bytesOf(audioLength) / this.#facts.outputBytesPerSecond
    const audioOutputTokens = Math.ceil(seconds * spokenTokensPerSecond)
    return {
      ...noUsage,
      promptTokens: this.#tokens + this.#writtenTokens + audioInputTokens,
      completionTokens: (await countTokens(text, model)) + audioOutputTokens,
      audioInputTokens,
      audioOutputTokens,
    }
  }

  /** Since the latest response, silence included. */
  get heardSeconds(): number {
    return Math.min(this.#heardBytes / this.#facts.inputBytesPerSecond, longestSpeechSeconds)
  }
}
