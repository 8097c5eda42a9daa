import { describe, expect, test } from 'bun:test'

import { errorCodes } from '@tollgate/contract'

import en from '../locales/en.json'
import zh from '../locales/zh.json'
import { consoleLanguage, relayLanguage, sentence } from './language'

const codes = Object.keys(errorCodes).toSorted()

describe('sentences', () => {
  test('there is one for each code in both languages, and none for no code', () => {
    expect(Object.keys(zh).toSorted()).toEqual(codes)
    expect(Object.keys(en).toSorted()).toEqual(codes)
  })

  test('both languages fill in the same values', () => {
    const placeholders = (texts: Record<string, string>) =>
      Object.entries(texts).map(([code, text]) => [code, (text.match(/\{\w+\}/g) ?? []).toSorted()])
    expect(placeholders(en)).toEqual(
      placeholders(Object.fromEntries(Object.keys(en).map((code) => [code, zh[code as keyof typeof zh]]))),
    )
  })

  test('values are filled in once and not read again', () => {
    expect(sentence('model.unknown', { model: '{group}', group: 'vip' }, 'en')).toContain(
      'no model {group} in the group vip',
    )
    expect(sentence('model.unknown', {}, 'en')).toContain('no model  in the group')
  })
})

describe('the language', () => {
  const asks = (text?: string) => new Headers(text === undefined ? {} : { 'accept-language': text })

  test.each([
    [undefined, 'zh', 'en'],
    ['en', 'en', 'en'],
    ['en-GB,zh;q=0.5', 'en', 'en'],
    ['zh-CN', 'zh', 'zh'],
    ['enx', 'zh', 'en'],
    ['fr', 'zh', 'en'],
  ])('of %p is %s in the console and %s for model calls', (text, ofConsole, ofRelay) => {
    expect(consoleLanguage(asks(text))).toBe(ofConsole as 'zh')
    expect(relayLanguage(asks(text))).toBe(ofRelay as 'zh')
  })
})
