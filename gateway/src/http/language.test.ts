import { describe, expect, test } from 'bun:test'

import { errorCodes, phraseCodes } from '@tollgate/contract'

import en from '../platform/locales/en.json'
import phrasesEn from '../platform/locales/phrases.en.json'
import phrasesZh from '../platform/locales/phrases.zh.json'
import zh from '../platform/locales/zh.json'
import { consoleLanguage, relayLanguage, sentence } from './language'

const codes = Object.keys(errorCodes).toSorted()

describe('sentences', () => {
  test('every code has a sentence in both languages, and every sentence a code', () => {
    expect(Object.keys(zh).toSorted()).toEqual(codes)
    expect(Object.keys(en).toSorted()).toEqual(codes)
    expect(Object.keys(phrasesZh).toSorted()).toEqual(phraseCodes.toSorted())
    expect(Object.keys(phrasesEn).toSorted()).toEqual(phraseCodes.toSorted())
  })

  test('both languages fill in the same values', () => {
    const placeholders = (texts: Record<string, string>) =>
      Object.entries(texts).map(([code, text]) => [code, (text.match(/\{\w+\}/g) ?? []).toSorted()])
    for (const [texts, others] of [
      [en, zh],
      [phrasesEn, phrasesZh],
    ] as const) {
      const inOrder = Object.keys(texts).map((code) => [code, (others as Record<string, string>)[code] ?? ''])
      expect(placeholders(texts)).toEqual(placeholders(Object.fromEntries(inOrder)))
    }
  })

  test('values are filled in once and not interpreted again', () => {
    expect(sentence('model.unknown', { model: '{group}', group: 'vip' }, 'en')).toContain(
      'no model {group} in the group vip',
    )
    expect(sentence('model.unknown', {}, 'en')).toContain('no model  in the group')
  })
})

describe('a parameter', () => {
  test('a parameter that is a phrase or has both languages is worded for the reader', () => {
    const reason = { code: 'reason.type', params: { expected: { code: 'type.flag' } } } as const
    const detail = { code: 'reason.at', params: { place: 'a.b', reason } } as const
    expect(sentence('input.invalid', { detail }, 'zh')).toBe('输入不合法：a.b：必须是 true 或 false')
    expect(sentence('input.invalid', { detail }, 'en')).toBe('Invalid input: a.b must be true or false.')
    expect(sentence('channel.other', { field: { en: 'region', zh: '地区' } }, 'zh')).toBe('请填写：地区')
  })
})

describe('the language', () => {
  const headersFor = (text?: string) => new Headers(text === undefined ? {} : { 'accept-language': text })

  test.each([
    [undefined, 'zh', 'en'],
    ['en', 'en', 'en'],
    ['en-GB,zh;q=0.5', 'en', 'en'],
    ['zh-CN', 'zh', 'zh'],
    ['enx', 'zh', 'en'],
    ['fr', 'zh', 'en'],
  ])('the language of %p is %s in the console and %s for model calls', (text, ofConsole, ofRelay) => {
    expect(consoleLanguage(headersFor(text))).toBe(ofConsole as 'zh')
    expect(relayLanguage(headersFor(text))).toBe(ofRelay as 'zh')
  })
})
