import { type Counted, type SimulatedResponse, type StreamResponse, whole } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import { unknownFields } from '../content'
import type { JsonObject } from '../json'
import { promptTokensOf, reportedUsage } from '../usage-report'
import { generationFor, tokensOfImage, type Generation, type GenerationEnding } from '../generation'
import { jsonList, sse, type StreamEvent } from '../wire'
import { groundingOf, partsOf, type CandidateContent } from './candidate-content'
import { readRequest, check } from './request'

const finishReasons = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  tools: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  'content-filter': 'PROHIBITED_CONTENT',
  blocked: 'PROHIBITED_CONTENT',
  pause: 'OTHER',
  'context-window': 'MAX_TOKENS',
  failed: 'STOP',
} satisfies Record<GenerationEnding, string>

interface Asking {
  readonly body: JsonObject
  readonly model: string
  readonly number: number
  /** Null: whole. */
  readonly stream: 'sse' | 'list' | null
}

/** Answer generateContent or streamGenerateContent. */
export function generate(asking: Asking, behaviour: Behaviour): SimulatedResponse {
  check(asking.body)
  const requested = readRequest(asking.body)
  const speech = generationFor(requested, behaviour)
  const promptTokens = behaviour.promptTokens ?? promptTokensOf(requested.prompt)
  const response = new Response(asking, behaviour, speech, promptTokens)
  return asking.stream === null ? response.whole() : response.stream(asking.stream)
}

class Response {
  readonly #responseId: string
  readonly #parts: CandidateContent
  readonly #isBlocked: boolean

  constructor(
    private readonly asking: Asking,
    private readonly behaviour: Behaviour,
    private readonly generation: Generation,
    private readonly promptTokens: number,
  ) {
    this.#responseId = `sim${asking.number}`
    this.#parts = partsOf(generation, asking.number)
    this.#isBlocked = generation.ending === 'blocked'
  }

  whole(): SimulatedResponse {
    return whole(this.#closing(this.#parts.whole), this.#countUsage(), this.#responseId)
  }

  stream(form: 'sse' | 'list'): StreamResponse {
    const { hugeFrame } = this.behaviour
    const huge = hugeFrame ? [{ text: 'x'.repeat(hugeFrame) }] : []
    const pieces = this.#isBlocked ? [] : [...this.#parts.pieces, ...huge]
    return {
      kind: 'stream',
      events: pieces.map((part, index) => eventOf(this.#piece(part, index))),
      last: eventOf(this.#closing(this.#parts.closing)),
      counted: this.#countUsage(),
      responseId: this.#responseId,
      framing: form === 'list' || this.behaviour.arrayStream ? jsonList : sse,
    }
  }

  #piece(part: JsonObject, index: number): JsonObject {
    const isReported = this.behaviour.usage !== 'last-choice'
    return this.#body(
      { candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }] },
      isReported ? index + 1 : null,
    )
  }

  #closing(parts: readonly JsonObject[]): JsonObject {
    if (this.#isBlocked) return this.#body({ promptFeedback: { blockReason: finishReasons.blocked } }, Infinity)
    const isUnsafe = this.generation.ending === 'refusal' || this.generation.ending === 'content-filter'
    const candidate = {
      content: { parts, role: 'model' },
      finishReason: finishReasons[this.generation.ending],
      ...(isUnsafe ? { safetyRatings: unsafe } : {}),
      ...groundingOf(this.generation),
      index: 0,
    }
    return this.#body({ candidates: [candidate] }, Infinity)
  }

  /** With the usage after this many tokens; null for no usage. */
  #body(members: JsonObject, tokens: number | null): JsonObject {
    const usage = tokens === null || this.behaviour.usage === 'none' ? undefined : this.#usageAfter(tokens)
    return {
      ...members,
      ...(usage === undefined ? {} : { usageMetadata: usage }),
      modelVersion: this.asking.model,
      responseId: this.#responseId,
      ...(this.behaviour.unknownFields ? unknownFields : {}),
    }
  }

  #usageAfter(tokens: number): unknown {
    const total = this.#isBlocked ? 0 : this.generation.completionTokens
    const thoughts = Math.min(this.generation.thoughtTokens, total)
    const thought = Math.min(tokens, thoughts)
    const candidates = Math.min(tokens - thought, total - thoughts)
    const isEnd = tokens === Infinity
    const images = isEnd ? this.generation.images * tokensOfImage : 0
    return usageOf({ prompt: this.promptTokens, candidates, thoughts: thought, images }, this.behaviour)
  }

  #countUsage(): Counted {
    const isReported = this.behaviour.usage !== 'none'
    return {
      promptTokens: this.promptTokens,
      completionTokens: this.#isBlocked ? 0 : this.generation.completionTokens,
      reported: isReported ? this.#usageAfter(Infinity) : undefined,
    }
  }
}

const unsafe = [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }]

const eventOf = (body: JsonObject): StreamEvent => ({ data: JSON.stringify(body) })

const names = { prompt: 'promptTokenCount', completion: 'candidatesTokenCount', total: 'totalTokenCount' }

interface Counts {
  readonly prompt: number
  /** Without thoughts. */
  readonly candidates: number
  readonly thoughts: number
  /** Image tokens of the candidates. */
  readonly images?: number
}

/** `usageMetadata`, where reasoning is counted apart from the candidates. */
function usageOf(counts: Counts, behaviour: Behaviour): unknown {
  const { prompt, candidates, thoughts, images = 0 } = counts
  const { cachedTokens = 0, imageTokens = 0, audioTokens = 0, completionAudioTokens = 0 } = behaviour
  const text = Math.max(prompt - imageTokens - audioTokens, 0)
  const produced = detailsOf({ IMAGE: images, AUDIO: completionAudioTokens })
  return reportedUsage(behaviour, names, {
    promptTokenCount: prompt,
    ...(candidates > 0 ? { candidatesTokenCount: candidates } : {}),
    totalTokenCount: prompt + candidates + thoughts,
    ...(cachedTokens > 0
      ? { cachedContentTokenCount: cachedTokens, cacheTokensDetails: detailsOf({ TEXT: cachedTokens }) }
      : {}),
    promptTokensDetails: detailsOf({ TEXT: text, IMAGE: imageTokens, AUDIO: audioTokens }),
    ...(produced.length > 0 ? { candidatesTokensDetails: produced } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  })
}

const detailsOf = (counts: Record<string, number>): JsonObject[] =>
  Object.entries(counts)
    .filter(([, tokenCount]) => tokenCount > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }))
