import type { FinishReason as Published } from '@google/genai'
import { expect, test } from 'bun:test'

import type { FinishReason } from '../../core/neutral/events'
import { failedFinish, failedFinishWord, readFinishReason } from './finish-reasons'

type Word = Exclude<`${Published}`, 'FINISH_REASON_UNSPECIFIED'>

/** What each word means that the vendor publishes: a new one does not compile until it stands here. `failed`: another account may do better. */
const meanings = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  ESCALATION: 'content-filter',
  OTHER: 'other',
  NO_IMAGE: 'other',
  IMAGE_OTHER: 'other',
  CONTINUATION: 'pause',
  MALFORMED_FUNCTION_CALL: 'failed',
  UNEXPECTED_TOOL_CALL: 'failed',
  TOO_MANY_TOOL_CALLS: 'failed',
  MISSING_THOUGHT_SIGNATURE: 'failed',
  MALFORMED_RESPONSE: 'failed',
  PUP_LIMITED_DISABLED: 'failed',
} satisfies Record<Word, FinishReason | 'failed'>

test.each(Object.entries(meanings))('a response that ends with %s is read as %s', (word, meaning) => {
  const isFailed = meaning === 'failed'
  const response = { candidates: [{ finishReason: word }] }
  expect(readFinishReason(word, false)).toBe(isFailed ? 'other' : meaning)
  expect(failedFinish(response)?.code ?? null).toBe(isFailed ? word : null)
  // Only then are the events of a stream parsed for it.
  expect(failedFinishWord.test(JSON.stringify(response))).toBe(isFailed)
})
