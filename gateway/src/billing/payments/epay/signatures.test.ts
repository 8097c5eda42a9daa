import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'

import { signV1, signV2, verifyV1, verifyV2 } from './signatures'

const started = {
  pid: '1001',
  type: 'alipay',
  out_trade_no: 'USR7NOAbC1231700000000',
  notify_url: 'https://gw.example/api/user/epay/notify',
  return_url: 'https://gw.example/app/wallet/topup-success',
  name: 'TUC10',
  money: '73.00',
  device: 'pc',
}
const reported = {
  pid: '1001',
  trade_no: '2024000001',
  out_trade_no: 'USR7NOAbC1231700000000',
  type: 'alipay',
  name: 'TUC10',
  money: '73.00',
  trade_status: 'TRADE_SUCCESS',
}

describe('a signature of version 1', () => {
  test('a payment is signed as the protocol specifies', () => {
    expect(signV1(started, 'k3y')).toBe('507b837526a06120e1fc81276daab070')
  })

  test('a notification is signed as the protocol specifies, whatever is empty or about the signature itself', () => {
    const sign = '71d9d5a8d13c13efc755e6fef07ad1ce'
    expect(signV1(reported, 'k3y')).toBe(sign)
    expect(signV1({ ...reported, param: '', sign, sign_type: 'MD5' }, 'k3y')).toBe(sign)
    expect(verifyV1({ ...reported, sign: sign.toUpperCase(), sign_type: 'MD5' }, 'k3y')).toBe(true)
  })

  test.each([
    ['another key', reported, 'other'],
    ['no key', reported, ''],
    ['another amount', { ...reported, money: '0.01' }, 'k3y'],
    ['another order', { ...reported, out_trade_no: 'USR8NOAbC1231700000000' }, 'k3y'],
    ['one more parameter', { ...reported, param: 'x' }, 'k3y'],
  ])('a signature is wrong for %s', (_what, parameters, key) => {
    expect(verifyV1({ ...parameters, sign: signV1(reported, 'k3y') }, key)).toBe(false)
  })

  test.each(['', 'x', '71d9d5a8d13c13efc755e6fef07ad1c', '71d9d5a8d13c13efc755e6fef07ad1cé'])(
    'a signature of another length or form is wrong: %p',
    (sign) => {
      expect(verifyV1({ ...reported, sign }, 'k3y')).toBe(false)
    },
  )

  test('a signature made with an empty key is wrong where no key is set', () => {
    expect(verifyV1({ ...reported, sign: signV1(reported, '') }, '')).toBe(false)
  })
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (type: 'pkcs8' | 'pkcs1') => privateKey.export({ format: 'pem', type })
const publicPem = (type: 'spki' | 'pkcs1') => publicKey.export({ format: 'pem', type })
const bare = (text: string) => text.replace(/-----[^-]+-----|\s/g, '')

const parameters = {
  pid: '1001',
  out_trade_no: 'USR7NOAbC1231700000000',
  money: '73.00',
  param: '',
  timestamp: '1700000000',
}

describe('a signature of version 2', () => {
  test.each([
    ['PEM', pem('pkcs8'), publicPem('spki')],
    ['PEM of RSA alone', pem('pkcs1'), publicPem('pkcs1')],
    ['base64 without headers', bare(pem('pkcs8')), bare(publicPem('spki'))],
    ['PEM whose lines a form has joined', pem('pkcs8').replace(/\n/g, ' '), publicPem('spki').replace(/\n/g, ' ')],
  ])('a signature of version 2 is made and verified with keys as %s', (_form, own, platform) => {
    const signed = { ...parameters, sign: signV2(parameters, own), sign_type: 'RSA' }
    expect(verifyV2(signed, platform)).toBe(true)
    expect(verifyV2({ ...signed, money: '0.01' }, platform)).toBe(false)
    expect(verifyV2({ ...signed, param: 'x' }, platform)).toBe(false)
    expect(verifyV2({ ...signed, sign_type: 'MD5' }, platform)).toBe(false)
    expect(verifyV2({ ...signed, sign: '' }, platform)).toBe(false)
  })

  test('a signature of version 2 is wrong without a key, with one that cannot be read, and with another', () => {
    const signed = { ...parameters, sign: signV2(parameters, pem('pkcs8')), sign_type: 'RSA' }
    const { publicKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(verifyV2(signed, '')).toBe(false)
    expect(verifyV2(signed, 'no key')).toBe(false)
    expect(verifyV2(signed, other.export({ format: 'pem', type: 'spki' }))).toBe(false)
  })
})
