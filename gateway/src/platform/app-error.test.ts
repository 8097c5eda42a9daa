import { expect, test } from 'bun:test'

import { AppError } from './app-error'
import { sentence } from './locales/sentence'

const long = 'x'.repeat(100_000)

test('a sentence shows the beginning of a long value that the caller sent', () => {
  const { code, params } = new AppError('channel.tag_none', { params: { tag: long } })
  expect(sentence(code, params, 'en')).toContain(`${'x'.repeat(256)}…`)
  expect(sentence(code, params, 'en').length).toBeLessThan(400)
})

test('a long value inside a phrase is cut as well, and never in the middle of a character', () => {
  const reason = { code: 'reason.one_of', params: { choices: '𝕬'.repeat(1000) } } as const
  const { params } = new AppError('input.invalid', {
    params: { detail: { code: 'reason.at', params: { place: 'group', reason } } },
  })
  const text = sentence('input.invalid', params, 'en')
  expect(text.length).toBeLessThan(400)
  expect(text.isWellFormed()).toBe(true)
})

test('short values, numbers and texts in two languages stay as they are', () => {
  const params = { place: 'a', limit: 5, feature: { en: 'a', zh: 'b' } }
  expect(new AppError('input.invalid', { params }).params).toEqual(params)
})
