import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'

import { signV2, verifyV2 } from './sign-v2'

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
