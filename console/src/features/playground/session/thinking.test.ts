import { expect, test } from 'bun:test'

import { thoughtOf, withoutThinking } from './thinking'

test.each([
  ['', '', ''],
  ['Hello', '', 'Hello'],
  ['<thi', '', ''],
  ['\n<think>', '', ''],
  ['<think>Hm', 'Hm', ''],
  ['<think>Hm</thi', 'Hm', ''],
  ['<think>Hm</think>', 'Hm', ''],
  ['<think>\nHm\n</think>\n\nYes', 'Hm', 'Yes'],
  ['<b>bold', '', '<b>bold'],
  ['Tags are written <think>so</think>', '', 'Tags are written <think>so</think>'],
])('%j has the reasoning %j and the text %j', (content, reasoning, text) => {
  expect(withoutThinking(content)).toEqual({ reasoning, text })
})

test('no prefix of a response shows a part of a tag', () => {
  const whole = '<think>Well, a < b.</think>So it is.'
  for (let length = 0; length <= whole.length; length += 1) {
    const { reasoning, text } = withoutThinking(whole.slice(0, length))
    expect('Well, a < b.').toStartWith(reasoning)
    expect('So it is.').toStartWith(text)
  }
})

test('separate reasoning comes before reasoning in tags', () => {
  expect(thoughtOf({ content: '<think>two</think>x', reasoning: 'one' })).toEqual({
    reasoning: 'one\n\ntwo',
    text: 'x',
  })
})
