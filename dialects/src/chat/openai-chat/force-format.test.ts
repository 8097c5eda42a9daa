import { expect, test } from 'bun:test'

import { forceChunkFormat, forceFormat } from './force-format'

test('an answer loses what is not standard and keeps what is', () => {
  const answer = {
    vendor: 1,
    choices: [{ message: { content: 'a', reasoning: 'r', extra: 1, tool_calls: [] }, finish_reason: 'stop', odd: 1 }],
    usage: { input_tokens: 1, output_tokens: 2 },
    model: 'm',
    id: 'x',
  }
  expect(forceFormat(answer)).toEqual({
    id: 'x',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message: { content: 'a', reasoning_content: 'r', tool_calls: [] }, finish_reason: 'stop' }],
    usage: expect.objectContaining({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }),
  })
})

test('a chunk is forced into the format too', () => {
  const chunk = {
    id: 'x',
    created: 5,
    model: 'm',
    choices: [{ index: 1, delta: { content: 'a', odd: 1 } }],
    usage: null,
  }
  expect(forceChunkFormat.chunk(chunk)).toEqual([
    {
      id: 'x',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'm',
      choices: [{ index: 1, delta: { content: 'a' }, finish_reason: null }],
    },
  ])
})
