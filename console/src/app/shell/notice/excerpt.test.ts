import { expect, test } from 'bun:test'

import { excerptOf } from './notice'

test('an address alone has no excerpt', () => {
  expect(excerptOf(' https://status.example/now\n')).toBe('')
  expect(excerptOf('See https://status.example/now')).toBe('See https://status.example/now')
})

test('a long text is cut', () => {
  expect(excerptOf('word '.repeat(1_000)).length).toBe(300)
})
