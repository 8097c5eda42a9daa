import { expect, test } from 'bun:test'

import { flagText, idText, linesText, plainText, Quota, UserId, wholeNumberText } from './units'

const parseWith = (schema: { safeParse(value: unknown): { data?: unknown; success: boolean } }, value: unknown) => {
  const { success, data } = schema.safeParse(value)
  return success ? data : 'refused'
}

test.each([
  ['1', 1],
  ['9007199254740991', 9_007_199_254_740_991],
  ['007', 7],
  ['0', 'refused'],
  ['-1', 'refused'],
  ['1.5', 'refused'],
  ['1e3', 'refused'],
  ['', 'refused'],
  ['9007199254740993', 'refused'],
  ['12345678901234567', 'refused'],
])('the text %j is the id %p', (text, id) => expect(parseWith(idText(UserId), text)).toBe(id))

test.each([
  ['true', true],
  ['1', true],
  ['', true],
  ['false', false],
  ['0', false],
  ['yes', 'refused'],
  ['TRUE', 'refused'],
])('the text %j is the flag %p', (text, flag) => expect(parseWith(flagText, text)).toBe(flag))

test.each([
  ['12', 12],
  ['-12', -12],
  ['', undefined],
  ['-', undefined],
  ['-9007199254740991', -9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_991],
  ['-9007199254740993', -9_007_199_254_740_991],
  ['+1', 'refused'],
  ['1.0', 'refused'],
  ['12345678901234567', 'refused'],
])('the text %j is the whole number %p', (text, value) => expect(parseWith(wholeNumberText, text)).toBe(value))

test('a text with a null character or of more characters than allowed is refused', () => {
  expect(parseWith(plainText(3), 'abc')).toBe('abc')
  expect(parseWith(plainText(3), 'abcd')).toBe('refused')
  expect(parseWith(plainText(3), 'a\0')).toBe('refused')
})

test('a list has a value per line, without blanks around them and without empty lines', () => {
  expect(parseWith(linesText(2), ' a \n\n b\r\n')).toEqual(['a', 'b'])
  expect(parseWith(linesText(2), '')).toEqual([])
  expect(parseWith(linesText(2), 'a\nb\nc')).toBe('refused')
  expect(parseWith(linesText(2, 1), 'abcde')).toBe('refused')
})

test.each([
  [0, 0],
  [-9_007_199_254_740_991, -9_007_199_254_740_991],
  [9_007_199_254_740_992, 'refused'],
  [0.5, 'refused'],
  ['1', 'refused'],
])('%p is the quota %p', (value, quota) => expect(parseWith(Quota, value)).toBe(quota))
