import { expect, test } from 'bun:test'

import { vectorOf } from '../core/neutral/embedding'
import { completeEmbeddings } from './openai-embeddings'

const answer = { object: 'list', data: [{ index: 0, embedding: [0.5, -2] }], usage: { prompt_tokens: 1 } }
const requested = { model: 'm', input: 'a', encoding_format: 'base64' }

test('vectors are packed for a client that asked for base64', () => {
  const { data, ...rest } = completeEmbeddings(answer, requested)
  expect(rest).toEqual({ object: 'list', usage: { prompt_tokens: 1 } })
  expect(data).toEqual([{ index: 0, embedding: 'AAAAPwAAAMA=' }])
  expect(vectorOf('AAAAPwAAAMA=')).toEqual([0.5, -2])
})

test('an answer stays as it is where nothing must be packed', () => {
  expect(completeEmbeddings(answer, { ...requested, encoding_format: 'float' })).toBe(answer)
  expect(completeEmbeddings(answer, { model: 'm', input: 'a' })).toBe(answer)
  const reported = { data: [{ index: 0, embedding: 'AAAAPw==' }] }
  expect(completeEmbeddings(reported, requested)).toBe(reported)
  expect(completeEmbeddings({ error: 'x' }, requested)).toEqual({ error: 'x' })
})
