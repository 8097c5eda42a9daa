import { expect, test } from 'bun:test'

import en from '../platform/locales/findings.en.json'
import zh from '../platform/locales/findings.zh.json'
import { fail, lineOf, ok, sentence, formatFinding } from './finding'

const blanksOf = (text: string) => new Set(text.match(/\{\w+\}/g))

test('both languages have the same sentences with the same placeholders', () => {
  expect(Object.keys(zh)).toEqual(Object.keys(en))
  for (const code of Object.keys(en) as (keyof typeof en)[]) expect(blanksOf(zh[code])).toEqual(blanksOf(en[code]))
})

test('a finding is worded in the language of its reader, with its advice', () => {
  const finding = fail('secret-key', sentence('secret.other', { closed: 2, count: 5 }), sentence('secret.other.advice'))
  expect(formatFinding(finding, 'en')).toEqual({
    level: 'FAIL',
    subject: 'secret key',
    text: 'cannot decrypt 2 of 5 channel keys and options',
    advice: 'Set the SECRET_KEY they were sealed with, or enter them again',
  })
  expect(formatFinding(finding, 'zh')).toMatchObject({
    subject: '密钥',
    text: '渠道密钥和选项共 5 项，其中 2 项无法解密',
  })
})

test('a parameter may have a word of its own in each language, or be a phrase', () => {
  const server = { en: 'the mail server', zh: '邮件服务器' }
  const finding = ok(
    'certificate',
    sentence('certificate.valid', { server, host: 'smtp.example.com', date: '2027-01-02' }),
  )
  expect(formatFinding(finding, 'zh').text).toBe('smtp.example.com（邮件服务器）的证书有效期至 2027-01-02')
  expect(lineOf(formatFinding(finding, 'en'))).toBe(
    'ok    certificate    of the mail server at smtp.example.com is valid until 2027-01-02',
  )
})
