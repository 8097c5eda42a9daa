import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { scanRequest } from './core/json-text'
import { inBody } from './core/views'
import { DialectError } from './core/dialect-error'
import { dialects } from './dialects'
import { isObject, type JsonObject } from './core/json'
import { forceChunkFormat, forceFormat } from './chat/openai-chat/force-format'
import { ThinkingToContent, thinkingToContent } from './chat/openai-chat/think'

const names = [
  'model',
  'messages',
  'prompt',
  'input',
  'stream',
  'stream_options',
  'max_tokens',
  'n',
  'tools',
  'content',
  'type',
  'text',
  'image_url',
  'usage',
  'choices',
  'delta',
  'message',
  'error',
  'tool_calls',
  'function',
  'detail',
  'finish_reason',
  'prompt_tokens',
  'completion_tokens',
  'prompt_tokens_details',
  'reasoning_content',
  'role',
  'response_format',
  'json_schema',
] as const

/** Objects with the names that readers look for, and any values. */
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  ),
}))
const anyObject = anyJson.filter(isObject)

test('readers of requests throw nothing but their own error', () => {
  fc.assert(
    fc.property(anyObject, (body: JsonObject) => {
      for (const dialect of Object.values(dialects)) {
        dialect.readPrompt(body)
        try {
          dialect.readRequest(body, inBody)
        } catch (error) {
          expect(error).toBeInstanceOf(DialectError)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('readers of answers throw nothing and report nothing that cannot be', () => {
  fc.assert(
    fc.property(anyObject, (answer: JsonObject) => {
      for (const dialect of Object.values(dialects)) {
        const view = dialect.readAnswer(answer)
        view.completionText()
        const counts = Object.values(view.usage ?? {}).filter((count) => typeof count === 'number')
        expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
        dialect.readError(500, JSON.stringify(answer))
      }
      thinkingToContent(answer)
      forceFormat(answer)
    }),
    { numRuns: 200 },
  )
})

test('taps throw nothing, whatever the stream says', () => {
  const events = fc.array(
    fc.oneof(
      anyJson.map((value) => `data: ${JSON.stringify(value)}\n\n`),
      fc.string(),
    ),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(events, fc.boolean(), (all, isChanged) => {
      const bytes = Buffer.from(all.join(''))
      for (const dialect of Object.values(dialects)) {
        const changes = isChanged ? [new ThinkingToContent(), forceChunkFormat] : undefined
        const tap = dialect.createTap({ swallowUsage: true, addUsage: true, changes })
        tap.push(bytes)
        tap.end()
        tap.completionText()
        tap.finish(null)
      }
    }),
    { numRuns: 200 },
  )
})

test('errors of any text are read', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const dialect of Object.values(dialects)) expect(dialect.readError(500, text).message).not.toBe('')
      scanRequest(text)
    }),
  )
})
