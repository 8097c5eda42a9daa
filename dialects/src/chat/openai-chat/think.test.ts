import { describe, expect, test } from 'bun:test'

import { isObject, type JsonObject } from '../../core/json'
import { ThinkingToContent, thinkingToContent } from './think'

const chunk = (delta: object, finish: string | null = null, index = 0): JsonObject => ({
  id: 'x',
  choices: [{ index, delta, finish_reason: finish }],
})

/** The content of a choice over a stream. */
function contentOf(chunks: readonly JsonObject[], requested = 0): string {
  const change = new ThinkingToContent()
  const out = [...chunks.flatMap((one) => change.chunk(one)), ...change.end()]
  return out
    .flatMap(({ choices }): unknown[] => (Array.isArray(choices) ? choices : []))
    .filter((choice): choice is JsonObject => isObject(choice) && choice['index'] === requested)
    .map(({ delta }) => (isObject(delta) && typeof delta['content'] === 'string' ? delta['content'] : ''))
    .join('')
}

describe('thinking shown as content', () => {
  test.each([
    [
      'reasoning, then an answer',
      [chunk({ reasoning_content: 'a' }), chunk({ reasoning_content: 'b' }), chunk({ content: 'c' })],
      '<think>\nab\n</think>\nc',
    ],
    ['under its other name', [chunk({ reasoning: 'a' }), chunk({ content: 'c' })], '<think>\na\n</think>\nc'],
    ['both in one chunk', [chunk({ reasoning_content: 'a', content: 'c' })], '<think>\na\n</think>\nc'],
    ['no reasoning', [chunk({ reasoning_content: '' }), chunk({ reasoning_content: null, content: 'c' })], 'c'],
    ['reasoning alone', [chunk({ reasoning_content: 'a' }), chunk({}, 'stop')], '<think>\na\n</think>\n'],
    ['cut off', [chunk({ reasoning_content: 'a' })], '<think>\na\n</think>\n'],
    [
      'before a tool call',
      [chunk({ reasoning_content: 'a' }), chunk({ tool_calls: [{ index: 0 }] })],
      '<think>\na\n</think>\n',
    ],
  ])('reasoning is put between tags: %s', (_name, chunks, expected) => {
    expect(contentOf(chunks)).toBe(expected)
  })

  test('each choice thinks for itself', () => {
    const chunks = [chunk({ reasoning_content: 'a' }), chunk({ content: 'x' }, null, 1), chunk({ content: 'c' })]
    expect(contentOf(chunks, 0)).toBe('<think>\na\n</think>\nc')
    expect(contentOf(chunks, 1)).toBe('x')
  })

  test('tagged thoughts of a whole response become reasoning', () => {
    const answer = { choices: [{ message: { role: 'assistant', reasoning_content: 'a', content: 'c' } }] }
    expect(thinkingToContent(answer)).toEqual({
      choices: [{ message: { role: 'assistant', content: '<think>\na\n</think>\nc' } }],
    })
    const plain = { choices: [{ message: { content: 'c' } }] }
    expect(thinkingToContent(plain)).toBe(plain)
  })
})
