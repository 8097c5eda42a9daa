import type { JsonObject } from '../../../core/json'
import type { AnswerEvent, BlockDelta, BlockKind, ChoiceEnd } from '../../../core/neutral/events'
import { nestedObject } from '../../../core/neutral/read'
import { carryThoughts, type SignedThought } from '../carried-thoughts'
import { dialectId } from '../name'
import { writeFinishReason } from '../finish-reasons'
import { writeLogProbabilities } from '../log-probabilities'
import { SourceWriter } from './sources'

type ChoiceEvent = Extract<AnswerEvent, { readonly choice: number }>

/** Gathers what one choice says until it is written. */
export class CandidateWriter {
  #of: BlockKind | null = null
  /** The open block: the arguments of a call, and what signs it. */
  #json = ''
  #signature = ''
  #thought = ''
  /** Those that no call carries so far. */
  #thoughts: SignedThought[] = []
  #parts: JsonObject[] = []
  #tokens: Extract<AnswerEvent, { type: 'log-probabilities' }>['tokens'][number][] = []
  #end: ChoiceEnd | null = null
  #hasToolCalls = false
  #hasWrittenParts = false
  readonly #sources = new SourceWriter()

  constructor(readonly choice: number) {}

  take(event: ChoiceEvent): void {
    switch (event.type) {
      case 'block-start':
        this.#close()
        this.#of = event.of
        if (event.of.kind === 'search') this.#sources.search(event.of)
        if (event.of.kind === 'own' && event.of.dialect === dialectId) this.#parts.push(event.of.value)
        return
      case 'block-delta':
        return this.#delta(event)
      case 'block-end':
        return this.#close()
      case 'log-probabilities':
        for (const token of event.tokens) this.#tokens.push(token)
        return
      default:
        this.#end = event
    }
  }

  /** The candidate with what was said since the last time; null when that is nothing. */
  writeNext(isLast: boolean): JsonObject | null {
    if (isLast) this.#close()
    if (this.#parts.length === 0 && this.#tokens.length === 0 && !isLast) return null
    const parts = this.#parts.length > 0 ? this.#parts : [{ text: '' }]
    const tokens = this.#tokens
    const isSilent =
      isLast && this.#parts.length === 0 && !this.#hasWrittenParts && this.#end?.reason === 'content-filter'
    this.#hasWrittenParts ||= this.#parts.length > 0
    this.#parts = []
    this.#tokens = []
    // As most are.
    if (!isLast && tokens.length === 0) return { content: { parts, role: 'model' }, index: this.choice }
    return {
      ...(!isSilent && { content: { parts, role: 'model' } }),
      ...(isLast && this.#ending()),
      index: this.choice,
      ...(tokens.length > 0 && { logprobsResult: writeLogProbabilities(tokens) }),
    }
  }

  #ending(): JsonObject {
    const { reason = 'other', rawReason = '' } = this.#end ?? {}
    const groundingMetadata = this.#sources.writeMetadata()
    return {
      ...(this.#end && { finishReason: writeFinishReason(reason, rawReason, this.#hasToolCalls) }),
      ...(groundingMetadata && { groundingMetadata }),
    }
  }

  #delta({ delta }: BlockDelta): void {
    if (delta.kind === 'signature') this.#signature += delta.signature
    else if (delta.kind === 'text') this.#appendText(delta.text)
    else if (delta.kind === 'citation') this.#sources.cite(delta.citation)
    else if (delta.kind === 'media') {
      const { mime: mimeType, data, transcript = '' } = delta
      if (data !== '') this.#parts.push({ inlineData: { mimeType, data } })
      this.#text(transcript)
    }
  }

  #appendText(text: string): void {
    if (this.#of?.kind === 'tool-call') this.#json += text
    else if (this.#of?.kind === 'thinking') {
      this.#thought += text
      this.#append(text, true)
    } else this.#text(text)
  }

  #text(text: string): void {
    this.#sources.append(text)
    this.#append(text, false)
  }

  /** Texts of a kind that are written at once are one part; what is signed is left alone. */
  #append(text: string, isThought: boolean): void {
    if (text === '') return
    const last = this.#parts.at(-1)
    const before = last?.['text']
    if (typeof before === 'string' && (last?.['thought'] === true) === isThought && !last?.['thoughtSignature'])
      this.#parts[this.#parts.length - 1] = { ...last, text: before + text }
    else this.#parts.push(isThought ? { text, thought: true } : { text })
  }

  /** Calls are told whole; a signature is told behind what it signs. */
  #close(): void {
    const of = this.#of
    const signature = this.#signature || (of?.kind === 'tool-call' ? this.#signatureOfThoughts() : '')
    const signed = signature === '' ? {} : { thoughtSignature: signature }
    if (of?.kind === 'tool-call') {
      this.#thoughts = []
      this.#hasToolCalls = true
      const args = of.isCustom ? { input: this.#json } : argumentsOf(this.#json)
      this.#parts.push({ functionCall: { id: of.id, name: of.name, args }, ...signed })
    } else if (this.#signature !== '' && of !== null) {
      this.#parts.push({ text: '', ...(of.kind === 'thinking' && { thought: true }), ...signed })
      const isRedacted = of.kind === 'redacted-thinking'
      this.#thoughts.push({ text: this.#thought, signature, ...(isRedacted && { isRedacted }) })
    }
    this.#sources.close()
    this.#of = null
    this.#json = ''
    this.#signature = ''
    this.#thought = ''
  }

  /** What signs an unsigned call: the thoughts before it. */
  #signatureOfThoughts(): string {
    return this.#thoughts.length === 0 ? '' : carryThoughts(this.#thoughts)
  }
}

/** Arguments that are broken stay readable, in the one place that an object leaves for them. */
const argumentsOf = (json: string): JsonObject => (json === '' ? {} : (nestedObject(json) ?? { input: json }))
