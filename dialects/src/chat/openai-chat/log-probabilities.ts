import type { JsonObject } from '../../core/json'
import type { AnswerEvent } from '../../core/neutral/events'
import { numberOrNull, objectOf, objectsOf, textOf } from '../../core/neutral/read'

type Tokens = Extract<AnswerEvent, { type: 'log-probabilities' }>['tokens']
type Token = Tokens[number]

export const readLogProbabilities = (logprobs: unknown): Tokens =>
  objectsOf(objectOf(logprobs)['content']).map((token) => ({
    ...readToken(token),
    top: objectsOf(token['top_logprobs']).map(readToken),
  }))

function readToken(token: JsonObject): Omit<Token, 'top'> {
  const { bytes } = token
  const isList = Array.isArray(bytes) && bytes.every((byte) => typeof byte === 'number')
  return {
    token: textOf(token['token']),
    logProbability: numberOrNull(token['logprob']) ?? 0,
    bytes: isList ? bytes : null,
  }
}

export const writeLogProbabilities = (tokens: Tokens): JsonObject => ({
  content: tokens.map(({ top, ...token }) => ({ ...writeToken(token), top_logprobs: top.map(writeToken) })),
  refusal: null,
})

const writeToken = ({ token, logProbability, bytes }: Omit<Token, 'top'>) => ({
  token,
  logprob: logProbability,
  bytes,
})
