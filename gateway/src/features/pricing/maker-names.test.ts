import { expect, test } from 'bun:test'

import { makerNames } from './maker-names'

const rows = ['deepseek', '', 'openai', 'deepseek'].map((owned_by) => ({ owned_by }))

test('makers that occur are named in the caller’s language', () => {
  expect(makerNames(rows, 'en')).toEqual({ openai: 'OpenAI', deepseek: 'DeepSeek' })
  expect(makerNames(rows, 'zh')).toEqual({ openai: 'OpenAI', deepseek: '深度求索' })
  expect(makerNames([], 'en')).toEqual({})
})
