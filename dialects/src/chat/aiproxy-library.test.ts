import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import { aCall, joinDeltas, noSampling } from '../core/neutral/test/fixtures'
import { aiProxyLibraryCodec as codec } from './aiproxy-library'

const dialect = dialects['aiproxy-library']
const documents = [
  { title: 'Manual', url: 'https://x/m' },
  { title: 'Notes', url: '' },
  { title: '', url: 'https://x/n' },
]
const list = '\n\n1. [Manual](https://x/m)\n2. Notes\n3. [https://x/n](https://x/n)'

const read = (...pieces: readonly JsonObject[]) => {
  const reader = codec.createReader()
  return joinDeltas([
    ...pieces.flatMap((piece) => reader.read({ name: '', data: JSON.stringify(piece) })),
    ...reader.end(),
  ])
}

test('a request asks the last question alone', () => {
  const warnings: string[] = []
  const call = aCall({
    model: 'gpt-4o',
    isStream: true,
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'How do I start?' }] },
    ],
    sampling: { ...noSampling, temperature: 1 },
  })
  expect(codec.writeCall(call, (what) => warnings.push(what))).toEqual({
    model: 'gpt-4o',
    query: 'How do I start?',
    stream: true,
  })
  expect(warnings).toEqual(['temperature', 'messages before the last one'])
})

describe('an answer', () => {
  const events = codec.readAnswer({ success: true, answer: 'Push the button.', documents, errCode: 0, message: '' })

  test('documents are listed behind the text, and those with an address are cited', () => {
    const view = dialect.readAnswer({ success: true, answer: 'Push the button.', documents })
    expect(view).toMatchObject({ usage: null, error: null, isEmpty: false })
    expect(view.completionText()).toBe(`Push the button.${list}`)
    const citations = events.flatMap((event) =>
      event.type === 'block-delta' && event.delta.kind === 'citation' ? [event.delta.citation] : [],
    )
    const text = view.completionText()
    expect(citations.map(({ url, title, start, end }) => [url, title, text.slice(start, end)])).toEqual([
      ['https://x/m', 'Manual', '[Manual](https://x/m)'],
      ['https://x/n', 'https://x/n', '[https://x/n](https://x/n)'],
    ])
  })

  test('an answer without documents has no list', () => {
    expect(dialect.readAnswer({ answer: 'Push.' }).completionText()).toBe('Push.')
  })

  test('a stream reads like the whole answer', () => {
    const pieces = [
      { content: 'Push ', finish: false, model: 'gpt-4o' },
      { content: 'the button.', finish: false, model: 'gpt-4o' },
      { content: '', finish: true, model: 'gpt-4o', documents },
    ]
    expect(read(...pieces)).toEqual([
      { type: 'answer-start', id: '', model: 'gpt-4o', createdAt: 0 },
      ...joinDeltas(events).slice(1),
    ])
    expect(read(...pieces.slice(0, 2)).at(-1)).toMatchObject({ type: 'block-end' })
  })

  test.each([
    [
      { success: false, errCode: 1001, message: 'No such library' },
      { code: '1001', message: 'No such library' },
    ],
    [
      { success: false, message: 'Broken' },
      { code: '', message: 'Broken' },
    ],
    [
      { errCode: 401, message: 'Bad key' },
      { code: '401', message: 'Bad key', status: 401 },
    ],
  ])('%j is a failure', (reported, error) => {
    expect(dialect.readAnswer(reported).error).toMatchObject(error)
    expect(read(reported)).toMatchObject([{ type: 'failure', error }])
  })
})
