import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { isObject, type JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { objectOf, objectsOf } from '../core/neutral/read'
import { noUsage } from '../core/usage'
import { translationOf } from './translation'
import { plainOptions as options } from './test/answers'

const question = { role: 'user', parts: [{ text: 'hi' }] }
const model = 'claude-sonnet-4-5'
const translateContents = (upstream: DialectId, contents: readonly JsonObject[]) => {
  const body = {
    contents,
    tools: [{ functionDeclarations: [{ name: 'f' }] }],
    generationConfig: { thinkingConfig: { thinkingBudget: 4096, includeThoughts: true } },
  }
  const translated = translationOf('gemini', upstream)?.(body, { ...inBody, model }, model)
  if (!translated) throw new Error('both chat')
  return translated
}

const blocks = [
  { type: 'thinking', thinking: 'hm, 雪', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'aGlkZGVu' },
  { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  { type: 'tool_use', id: 'toolu_2', name: 'f', input: { a: 2 } },
]
const answer = translateContents('anthropic-messages', [question])
  .read({ content: blocks, stop_reason: 'tool_use' })
  .write(noUsage, options)
const answerParts = objectsOf(objectOf(objectsOf(answer['candidates'])[0]?.['content'])['parts'])
const result = (id: unknown) => ({ functionResponse: { id, name: 'f', response: { output: 'x' } } })
const results = {
  role: 'user',
  parts: answerParts.flatMap(({ functionCall }) => (isObject(functionCall) ? [result(functionCall['id'])] : [])),
}

describe('thoughts that Claude signed, of a client of Google', () => {
  test('one base64 signature on the first call carries them', () => {
    const signed = answerParts.filter(({ functionCall, thoughtSignature }) => functionCall && thoughtSignature)
    expect(signed).toHaveLength(1)
    expect(signed[0]?.['thoughtSignature']).toMatch(/^[A-Za-z0-9+/]+=*$/)
  })

  test.each([
    ['leaves them out', answerParts.filter(({ functionCall }) => functionCall !== undefined)],
    ['keeps them', answerParts],
  ])('they go back once, before the calls, from a client that %s', (_, parts) => {
    const { body } = translateContents('anthropic-messages', [question, { role: 'model', parts }, results])
    expect(objectsOf(body['messages'])[1]?.['content']).toEqual(blocks)
    expect(body['thinking']).toMatchObject({ type: 'enabled' })
  })

  test('a signature of Google’s own stays with its call', () => {
    const parts = [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'Zm4=' }]
    const { body } = translateContents('openai-chat', [question, { role: 'model', parts }])
    expect(JSON.stringify(body['messages'])).toContain('"thought_signature":"Zm4="')
  })
})
