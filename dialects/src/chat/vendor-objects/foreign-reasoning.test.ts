import { describe, expect, test } from 'bun:test'

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

describe('items of OpenAI’s Responses', () => {
  const hi = { role: 'user', content: 'hi' }
  const output = { type: 'function_call_output', call_id: 'c', output: 'x' }
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAB' }
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
  const greeting = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }

  test('lose the ids by which their reasoning is looked for', () => {
    const input = [hi, thought, { ...call, id: 'fc_1' }, output, { ...greeting, id: 'msg_1' }]
    expect(removeReasoning({ input })).toEqual([{ input: [hi, call, output, greeting] }, ['encrypted reasoning']])
  })

  // https://github.com/mastra-ai/mastra/issues/9005
  test('lose them, too, where their reasoning is gone already', () => {
    const input = [hi, { ...call, id: 'fc_1' }, output]
    expect(removeReasoning({ input })).toEqual([{ input: [hi, call, output] }, ['the ids of items']])
  })

  test('lose reasoning that another account stored', () => {
    const stored = { type: 'reasoning', id: 'rs_1', summary: [] }
    const reference = { type: 'item_reference', id: 'rs_2' }
    const other = { type: 'item_reference', id: 'ws_1' }
    expect(removeReasoning({ input: [hi, stored, reference, other] })).toEqual([
      { input: [hi, other] },
      ['encrypted reasoning'],
    ])
  })

  test('keep ids without which they would be others', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    expect(removeReasoning({ input: [hi, thought, search] })).toEqual([
      { input: [hi, search] },
      ['encrypted reasoning'],
    ])
  })
})

test('a request without such reasoning stays itself', () => {
  const body = {
    messages: [{ role: 'user', content: 'hi' }],
    input: [{ type: 'message' }],
    contents: [{ parts: [{ text: 'a' }] }],
  }
  expect(withoutForeignReasoning(body, () => {})).toBe(body)
})
