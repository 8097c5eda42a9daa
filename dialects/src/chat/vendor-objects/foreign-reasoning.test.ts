import { expect, test } from 'bun:test'

import { withoutForeignReasoning } from './sealed-thoughts'

const removeReasoning = (body: object) => {
  const names: string[] = []
  const result = withoutForeignReasoning({ ...body }, (name) => names.push(name))
  return [result, names]
}
test('signatures of Google’s thoughts are left out and named', () => {
  const parts = [{ text: 'Hi.', thoughtSignature: 'x' }]
  expect(removeReasoning({ contents: [{ role: 'model', parts }] })).toEqual([
    { contents: [{ role: 'model', parts: [{ text: 'Hi.' }] }] },
    ['thought signatures'],
  ])
})

test('a turn of Claude that goes on without its thought does not think', () => {
  const use = { type: 'tool_use', id: 'a', name: 'look', input: {} }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] }
  const thought = { type: 'redacted_thinking', data: 'x' }
  const body = {
    thinking: { type: 'enabled', budget_tokens: 1024 },
    context_management: { edits: [] },
    messages: [{ role: 'assistant', content: [thought] }, { role: 'assistant', content: [thought, use] }, result],
  }
  expect(removeReasoning(body)).toEqual([
    { messages: [{ role: 'assistant', content: [use] }, result] },
    ['signed thoughts'],
  ])
})

test('a request without such reasoning stays itself', () => {
  const body = {
    messages: [{ role: 'user', content: 'hi' }],
    input: [{ type: 'message' }],
    contents: [{ parts: [{ text: 'a' }] }],
  }
  expect(withoutForeignReasoning(body, () => {})).toBe(body)
})
