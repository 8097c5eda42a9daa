import { isObject, listOr, numberOr, textOr, type JsonObject } from './json'
import { inputTokensOf } from './usage-report'

export interface Ranked {
  readonly index: number
  readonly score: number
  readonly text: string
}

/** The documents of a request, best first, by the words they share with its query; no more than asked for. */
export function rankDocuments(body: JsonObject): Ranked[] {
  const requested = wordsIn(textOr(body['query'], ''))
  const scored = textsIn(body).map((text, index) => {
    const found = new Set(wordsIn(text))
    const shared = requested.filter((word) => found.has(word)).length
    return { index, score: (1 + 8 * (shared / Math.max(requested.length, 1))) / 10, text }
  })
  const best = scored.sort((one, other) => other.score - one.score || one.index - other.index)
  return best.slice(0, numberOr(body['top_n'], 0) || best.length)
}

export const rankingTokensOf = (body: JsonObject): number => inputTokensOf([body['query'], ...textsIn(body)])

const textsIn = (body: JsonObject): string[] =>
  listOr(body['documents']).map((one) => textOr(isObject(one) ? one['text'] : one, ''))

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
