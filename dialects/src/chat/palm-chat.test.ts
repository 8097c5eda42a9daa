import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { NeutralCall } from '../core/neutral/call'
import { aCall, noSampling } from '../core/neutral/test/fixtures'
import { palmChatCodec as codec } from './palm-chat'

const dialect = dialects['palm-chat']
const answer = {
  candidates: [
    { author: '1', content: 'Hi there!' },
    { author: '1', content: 'Hello.' },
  ],
  messages: [{ author: '0', content: 'hi' }],
}

function writeCall(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  return { body: codec.writeCall(aCall(change), (what) => warnings.push(what)), warnings }
}

describe('a request', () => {
  test('writes a conversation of two with its context', () => {
    const { body, warnings } = writeCall({
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
        {
          role: 'assistant',
          parts: [
            { kind: 'thinking', text: 'Hm.' },
            { kind: 'text', text: 'Hello.' },
          ],
        },
        { role: 'user', parts: [{ kind: 'text', text: 'bye' }] },
      ],
      sampling: { ...noSampling, temperature: 1.5, topP: 0.9, topK: 40, choices: 2 },
    })
    expect(body).toEqual({
      prompt: {
        context: 'Be brief.',
        messages: [
          { author: '0', content: 'hi' },
          { author: '1', content: 'Hello.' },
          { author: '0', content: 'bye' },
        ],
      },
      temperature: 1,
      topP: 0.9,
      topK: 40,
      candidateCount: 2,
    })
    expect(warnings).toEqual(['earlier thinking'])
  })

  test('warns of all that the vendor cannot be told', () => {
    const { body, warnings } = writeCall({
      messages: [{ role: 'user', parts: [{ kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } }] }],
      sampling: {
        ...noSampling,
        maxTokens: 5,
        stop: ['a'],
        seed: 1,
        presencePenalty: 1,
        hasLogProbabilities: true,
        choices: 9,
      },
      tools: [{ kind: 'function', name: 'f', description: '', schema: {}, isStrict: null }],
      output: { kind: 'json' },
      thinking: { isEnabled: true, effort: null, budgetTokens: null, isShown: null, summary: null },
    })
    expect(body).toEqual({ prompt: { messages: [] }, candidateCount: 8 })
    expect(warnings).toEqual([
      'max_tokens',
      'stop sequences',
      'seed',
      'penalties',
      'log probabilities',
      'tools',
      'the format of the answer',
      'thinking',
      'more than 8 choices',
      'image',
    ])
  })
})

describe('an answer', () => {
  const [first] = answer.candidates

  test('reads a choice per candidate, streamed or not', () => {
    const events = codec.readAnswer({ candidates: [first] })
    expect(events).toEqual([
      { type: 'answer-start', id: '', model: '', createdAt: 0 },
      { type: 'block-start', choice: 0, block: 0, of: { kind: 'text' } },
      { type: 'block-delta', choice: 0, block: 0, delta: { kind: 'text', text: 'Hi there!' } },
      { type: 'block-end', choice: 0, block: 0 },
      { type: 'choice-end', choice: 0, reason: 'stop', rawReason: '', stopSequence: null },
      { type: 'answer-end' },
    ])
    const reader = codec.createReader()
    const event = { name: '', data: JSON.stringify({ candidates: [first] }) }
    expect([...reader.read(event), ...reader.read(event), ...reader.end()]).toEqual([...events])
    expect(codec.readAnswer(answer).filter(({ type }) => type === 'choice-end')).toHaveLength(2)
  })

  test('a withheld response ends for the filter', () => {
    expect(codec.readAnswer({ filters: [{ reason: 'SAFETY' }] })).toContainEqual({
      type: 'choice-end',
      choice: 0,
      reason: 'content-filter',
      rawReason: 'SAFETY',
      stopSequence: null,
    })
  })

  test('tells the gateway its text and its error', () => {
    const view = dialect.readAnswer(answer)
    expect(view).toMatchObject({ usage: null, error: null, isEmpty: false })
    expect(view.completionText()).toBe('Hi there!Hello.')
    const error = { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' }
    expect(dialect.readAnswer({ error }).error).toMatchObject({ message: 'No.', type: 'INVALID_ARGUMENT' })
    expect(dialect.readError(400, JSON.stringify({ error })).message).toBe('No.')
  })
})
