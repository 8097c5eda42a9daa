import type { JsonObject } from '../../core/json'
import type { AnswerEvent } from '../../core/neutral/events'
import { numberOrNull, textOf } from '../../core/neutral/read'
import { member, memberList } from '../../core/shared/google-members'

type Tokens = Extract<AnswerEvent, { type: 'log-probabilities' }>['tokens']

/** The least there is, where none is told. */
const min = -9999

/** https://ai.google.dev/api/generate-content#LogprobsResult */
export function readLogProbabilities(result: JsonObject): Tokens {
  const top = memberList(result, 'topCandidates')
  return memberList(result, 'chosenCandidates').map((chosen, index) => ({
    ...readToken(chosen),
    top: memberList(top[index] ?? {}, 'candidates').map(readToken),
  }))
}

const readToken = (token: JsonObject) => ({
  token: textOf(token['token']),
  logProbability: numberOrNull(member(token, 'logProbability')) ?? min,
  bytes: null,
})

export function writeLogProbabilities(tokens: Tokens): JsonObject {
  return {
    topCandidates: tokens.map(({ top }) => ({ candidates: top.map(writeToken) })),
    chosenCandidates: tokens.map(writeToken),
  }
}

const writeToken = ({ token, logProbability }: Pick<Tokens[number], 'token' | 'logProbability'>): JsonObject => ({
  token,
  logProbability,
})
