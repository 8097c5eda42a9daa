import { describe, expect, test } from 'bun:test'

import type { Logger } from 'pino'

import { createLog } from './create-log'

/** The written lines, parsed: each must be one JSON object. */
function linesOf(write: (log: Logger) => void): { text: string; lines: Record<string, unknown>[] } {
  let text = ''
  write(createLog({ logLevel: 'trace' }, 'node.0', { write: (line) => (text += line) }))
  const lines = text.split('\n').filter(Boolean)
  return { text, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}
const lineOf = (fields: object) => linesOf((log) => log.warn(fields, 'it happened')).lines[0] ?? {}

test('a line names its worker, and its call', () => {
  expect(lineOf({ requestId: 'r1', channel: 3 })).toMatchObject({
    level: 'warn',
    worker: 'node.0',
    requestId: 'r1',
    channel: 3,
    msg: 'it happened',
  })
})

test.each(['error', 'err'])(
  'an error under %s is logged completely, with its causes, and nothing attached to it',
  (key) => {
    class Refused extends Error {
      override readonly name = 'Refused'
      readonly code = '28P01'
      readonly connection = { host: 'db', password: 'hunter2', url: 'postgres://u:hunter2@db' }
    }
    const error = new Refused('password authentication failed', { cause: new TypeError('inner', { cause: 'deep' }) })
    const line = lineOf({ [key]: error })
    expect(line[key]).toMatchObject({
      type: 'Refused',
      message: 'password authentication failed',
      code: '28P01',
      stack: expect.stringContaining('create-log.test') as string,
      cause: { type: 'TypeError', message: 'inner', cause: 'deep' },
    })
    expect(JSON.stringify(line)).not.toContain('hunter2')
  },
)

const secret = 'PLAIN-se_cret.42'

describe('a secret is masked by the name of its field', () => {
  test.each([
    [{ headers: { authorization: secret } }],
    [{ headers: new Headers({ 'X-Api-Key': secret, cookie: secret }) }],
    [{ request: { headers: { 'x-goog-api-key': secret, 'set-cookie': [secret] } } }],
    [{ key: secret, keys: [secret], access_token: secret, refreshToken: secret }],
    [{ a: { b: { c: { password: secret, clientSecret: { value: secret } } } } }],
    [{ list: [{ token: secret }, { smtp_password: secret }] }],
  ])('%#', (fields) => expect(JSON.stringify(lineOf(fields))).not.toContain(secret))

  test('counts and ids of the same names are kept', () => {
    expect(lineOf({ promptTokens: 5, token: 7, key: '', tokenId: 3, option: 'Price' })).toMatchObject({
      promptTokens: 5,
      token: 7,
      key: '',
      tokenId: 3,
      option: 'Price',
    })
  })
})

describe('a secret is masked by its form, wherever it is', () => {
  test.each([
    ['postgres://tollgate:s3cr3tpw@db:5432/x', 's3cr3tpw', 'db:5432/x'],
    ['redis://:s3cr3tpw@cache/0', 's3cr3tpw', '@cache/0'],
    ['postgres://u:p@s3cr3tpw@db/x', 's3cr3tpw', '@db/x'],
    ['https://api.vendor.example/v1?key=s3cr3tpw&alt=sse', 's3cr3tpw', 'api.vendor.example/v1'],
    ['POST /x?access_token=s3cr3tpw failed', 's3cr3tpw', 'POST /x'],
    ['Authorization: Bearer s3cr3tpw.more', 's3cr3tpw', 'Bearer'],
    ['basic dXNlcjpwYXNz', 'dXNlcjpwYXNz', 'basic'],
    ['key sk-proj-abcdef123456 is wrong', 'abcdef123456', 'is wrong'],
    ['AIzaSyA1234567890abcdef', 'SyA1234567890', ''],
    ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7', ''],
    ['ghp_abcdefghijklmnop1234', 'abcdefghijklmnop', ''],
    ['eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl', 'eyJzdWIiOiIx', ''],
  ])('%s', (text, hiddenPart, visiblePart) => {
    const { text: written } = linesOf((log) => {
      log.warn({ path: text, error: new Error(text, { cause: { note: text } }) }, 'it happened')
      log.warn(text)
      log.error(new Error(text))
    })
    expect(written).not.toContain(hiddenPart)
    expect(written).toContain(visiblePart)
  })
})

test.each([
  ['a line break', 'x\n{"level":60,"msg":"forged"}\r\n'],
  ['quotes behind a secret', '?key=abc"def\\" and https://u:p"@host Bearer abcdefgh"'],
  ['backslashes', '\\\\?key=\\"x https://a\\nb@c'],
  ['control characters', '\0\u001b[31m\u2028'],
  ['half a character', '\ud800'],
])('%s leaves one line of JSON', (_name, text) => {
  const { lines } = linesOf((log) => log.warn({ path: text, deep: { [text]: text } }, text))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'warn', worker: 'node.0' })
})

test('unbounded values are cut', () => {
  const endless: Record<string, unknown> = { text: 'x'.repeat(1e6), list: Array.from({ length: 1e4 }, () => 1) }
  endless['self'] = endless
  expect(JSON.stringify(lineOf(endless)).length).toBeLessThan(50_000)
})
