import { describe, expect, test } from 'bun:test'

import { dollarsAt, requireNumber, requireObject, openAiBalance } from './balance'
import { openAiModelList, parseModelList, parseNamedModels } from './model-list'

describe('a model list', () => {
  test('the model list is at the base URL, or beside a full chat address', () => {
    const at = (baseUrl: string) => openAiModelList().request({ baseUrl, key: 'k', other: '' }).url
    expect(at('https://a.example')).toBe('https://a.example/v1/models')
    expect(at('https://a.example/v4/chat/completions')).toBe('https://a.example/v4/models')
  })

  test('loses the prefix of its names', () => {
    expect(parseModelList({ data: [{ id: 'models/a' }, { id: 'b' }] })).toEqual(['a', 'b'])
  })

  test.each([[null], ['<html>'], [{}], [{ data: {} }], [{ data: [{}] }], [{ data: ['a'] }], [{ error: {} }]])(
    '%j does not parse',
    (answer) => {
      expect(() => parseModelList(answer)).toThrow(TypeError)
      expect(() => parseNamedModels(answer)).toThrow(TypeError)
    },
  )
})

describe('a balance', () => {
  test.each([
    [3, 3],
    ['3.5', 3.5],
    ['-1', -1],
  ])('a balance of %j is a number', (value, number) => expect(requireNumber(value)).toBe(number))

  test.each([[''], [' '], ['x'], [null], [undefined], [Number.NaN], ['Infinity'], [{}]])(
    'a balance of %p does not parse',
    (value) => expect(() => requireNumber(value)).toThrow(TypeError),
  )

  test('a balance needs an object', () => expect(() => requireObject([])).toThrow(TypeError))

  test('a balance needs every response', () => {
    const parse = () => openAiBalance().parse([{ hard_limit_usd: 1 }], { baseUrl: 'https://a.example' })
    expect(parse).toThrow(TypeError)
  })

  test.each<[string, 'USD' | 'CNY']>([
    ['https://api.a.com/v1', 'USD'],
    ['https://api.a.cn', 'CNY'],
    ['http://127.0.0.1:8080', 'CNY'],
  ])('at %s is in %s where only the other market is billed in dollars', (baseUrl, currency) =>
    expect(dollarsAt('a.com', { baseUrl }, 2)).toEqual({ amount: 2, currency }),
  )

  test('counts the month from its first day in UTC', () => {
    const [, month] = openAiBalance().requests(
      { baseUrl: 'https://a.example', key: 'k' },
      new Date('2026-01-01T00:30Z'),
    )
    expect(month?.url).toEndWith('?start_date=2026-01-01&end_date=2026-01-01')
  })
})
