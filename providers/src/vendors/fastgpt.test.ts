import { expect, test } from 'bun:test'

import { fastGpt } from './fastgpt'
import { describedBy } from './fixture'

const { collect } = describedBy(fastGpt, { mode: 'chat' })
const collectText = (text: string) => Buffer.from(collect?.(new TextEncoder().encode(text)) ?? []).toString()

// https://doc.fastgpt.io/docs/openapi/chat
const answer = {
  id: 'adsfasf',
  model: '',
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 },
  choices: [{ message: { role: 'assistant', content: 'It is Makoto Shinkai.' }, finish_reason: 'stop', index: 0 }],
}

test('a whole answer loses the tokens that FastGPT always reports', () => {
  const { usage: _usage, ...rest } = answer
  expect(JSON.parse(collectText(JSON.stringify(answer)))).toEqual(rest)
})

test.each([
  JSON.stringify({ ...answer, usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } }),
  '{"code":514,"statusText":"unAuthApiKey","message":"","data":null}',
  '<html>',
])('%s stays as it is', (text) => {
  expect(collectText(text)).toBe(text)
})
