import { expect, test } from 'bun:test'

import { makerNames } from './maker-names'

const ids = ['deepseek', '', 'openai', 'deepseek']

test('makers that occur are named in the caller’s language', () => {
  expect(makerNames(ids, 'en')).toEqual({ openai: 'OpenAI', deepseek: 'DeepSeek' })
  expect(makerNames(ids, 'zh')).toEqual({ openai: 'OpenAI', deepseek: '深度求索' })
  expect(makerNames([], 'en')).toEqual({})
})
