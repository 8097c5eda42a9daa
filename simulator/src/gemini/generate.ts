import { whole, type Answer, type Counted, type StreamAnswer } from '../answer'
import type { StreamEvent } from '../stream-event'
import type { Behaviour } from '../behaviour'
import { unknownFields } from '../content'
import type { JsonObject } from '../json'
import { promptTokensOf } from '../prompt-tokens'
import { generationFor, tokensOfImage, type Generation, type GenerationEnding } from '../generation'
import { jsonList, sse } from '../wire'
import { groundingOf, partsOf, type Parts } from './parts'
import { readRequest, check } from './request'
import { reportedUsage } from '../usage-report'

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
export function generate(asking: Asking, behaviour: Behaviour): Answer {
  check(asking.body)
  const requested = readRequest(asking.body)
  const speech = generationFor(requested, behaviour)
  const promptTokens = behaviour.promptTokens ?? promptTokensOf(requested.prompt)
  const response = new Response(asking, behaviour, speech, promptTokens)
  return asking.stream === null ? response.whole() : response.stream(asking.stream)
}

class Response {
  readonly #answerId: string
  readonly #parts: Parts
  readonly #isBlocked: boolean

  constructor(
    private readonly asking: Asking,
    private readonly behaviour: Behaviour,
    private readonly said: Generation,
    private readonly promptTokens: number,
  ) {
    this.#answerId = `sim${asking.number}`
    this.#parts = partsOf(said, asking.number)
    this.#isBlocked = said.ending === 'blocked'
  }

  whole(): Answer {
    return whole(this.#closing(this.#parts.whole), this.#counted(), this.#answerId)
  }

  stream(form: 'sse' | 'list'): StreamAnswer {
    const { hugeFrame } = this.behaviour
    const huge = hugeFrame ? [{ text: 'x'.repeat(hugeFrame) }] : []
    const pieces = this.#isBlocked ? [] : [...this.#parts.pieces, ...huge]
    return {
      kind: 'stream',
      events: pieces.map((part, index) => eventOf(this.#piece(part, index))),
      last: eventOf(this.#closing(this.#parts.closing)),
      counted: this.#counted(),
      answerId: this.#answerId,
      framing: form === 'list' || this.behaviour.arrayStream ? jsonList : sse,
    }
  }

  #piece(part: JsonObject, index: number): JsonObject {
    const isTold = this.behaviour.usage !== 'last-choice'
    return this.#body(
      { candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }] },
      isTold ? index + 1 : null,
    )
  }

  #closing(parts: readonly JsonObject[]): JsonObject {
    if (this.#isBlocked) return this.#body({ promptFeedback: { blockReason: finishReasons.blocked } }, Infinity)
    const isUnsafe = this.said.ending === 'refusal' || this.said.ending === 'content-filter'
    const candidate = {
      content: { parts, role: 'model' },
      finishReason: finishReasons[this.said.ending],
      ...(isUnsafe ? { safetyRatings: unsafe } : {}),
      ...groundingOf(this.said),
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
      responseId: this.#answerId,
      ...(this.behaviour.unknownFields ? unknownFields : {}),
    }
  }

  #usageAfter(tokens: number): unknown {
    const total = this.#isBlocked ? 0 : this.said.completionTokens
    const thoughts = Math.min(this.said.thoughtTokens, total)
    const thought = Math.min(tokens, thoughts)
    const candidates = Math.min(tokens - thought, total - thoughts)
    const isEnd = tokens === Infinity
    const images = isEnd ? this.said.images * tokensOfImage : 0
    return usageOf({ prompt: this.promptTokens, candidates, thoughts: thought, images }, this.behaviour)
  }

  #counted(): Counted {
    const isTold = this.behaviour.usage !== 'none'
    return {
      promptTokens: this.promptTokens,
      completionTokens: this.#isBlocked ? 0 : this.said.completionTokens,
      reported: isTold ? this.#usageAfter(Infinity) : undefined,
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
