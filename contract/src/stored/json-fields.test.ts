import { expect, test } from 'bun:test'
import * as z from 'zod'

import { parseObject, readFields } from './json-fields'
import { parsePhrase, storedPhrase } from './phrase'

test.each([
  ['{"a":1}', { a: 1 }],
  ['{}', {}],
  ['[1]', undefined],
  ['null', undefined],
  ['"a"', undefined],
  ['{', undefined],
  ['', undefined],
])('the object in the text %j is %p', (text, object) => expect(parseObject(text)).toEqual(object))

test('a stored field that does not fit counts as absent, and the others are read', () => {
  const Fields = z.object({
    name: z.string().default('none'),
    count: z.number().optional(),
    isOn: z.boolean().optional(),
  })
  expect(readFields(Fields, '{"name":7,"count":2,"isOn":"yes","later":1}')).toEqual({ name: 'none', count: 2 })
  expect(readFields(Fields, '{"name":"a","count":2,"isOn":true}')).toEqual({ name: 'a', count: 2, isOn: true })
  for (const text of ['', '[]', 'plain']) expect(readFields(Fields, text)).toEqual({ name: 'none' })
})

test('a phrase is read as it was stored, with phrases in it', () => {
  const params = { quota: '5', why: { code: 'quota.user', params: { need: 3 } }, label: { en: 'a', zh: '甲' } } as const
  expect(parsePhrase(storedPhrase('log.topped_up', params))).toEqual({ code: 'log.topped_up', params })
  expect(parsePhrase(storedPhrase('log.topped_up'))).toEqual({ code: 'log.topped_up' })
})

test.each([
  '',
  'a plain text',
  '{"code":"no.such_code"}',
  '{"code":"log.topped_up","more":1}',
  '{"code":"log.topped_up"',
])('the text %j is not a phrase', (text) => expect(parsePhrase(text)).toBeNull())
