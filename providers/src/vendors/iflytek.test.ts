import { describe, expect, test } from 'bun:test'

import { aTarget } from './fixture'
import { signSpark } from './iflytek'
import { sparkAnswer, sparkEvents } from './spark-messages'

const tools = {
  fetch: () => Promise.reject(new Error('Nothing is fetched')),
  now: () => Date.UTC(2023, 4, 5, 10, 43, 39),
}
const request = { url: 'wss://spark-api.xf-yun.com/v1.1/chat', headers: {}, body: '{}' }

describe('a call to Spark', () => {
  test('signs host, date and path as the vendor documents it', async () => {
    // The example of https://www.xfyun.cn/doc/spark/general_url_authentication.html
    const key = '12345|MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi|addd2272b6d8b7c8abdd79531420ca3b'
    expect(await signSpark(request, aTarget({ key }), tools)).toEqual({
      query: {
        authorization:
          'YXBpX2tleT0iYWRkZDIyNzJiNmQ4YjdjOGFiZGQ3OTUzMTQyMGNhM2IiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iejVnSGR1M3B4VlY0QURNeWs0Njd3T1dEUTlxNkJRelIzbmZNVGpjL0RhUT0i',
        date: 'Fri, 05 May 2023 10:43:39 GMT',
        host: 'spark-api.xf-yun.com',
      },
    })
  })

  test('carries the password of the HTTP API as it is', async () => {
    expect(await signSpark(request, aTarget({ key: 'a-password' }), tools)).toEqual({})
  })

  test.each(['a|b', 'a||c', '|b|c', 'a|b|c|d'])('is not made with the key %p', async (key) => {
    expect(signSpark(request, aTarget({ key }), tools)).rejects.toThrow(TypeError)
  })
})

describe('the messages of Spark', () => {
  const frame = (status: number, content: string, more: object = {}) => ({
    header: { code: 0, message: 'Success', sid: 's-1', status },
    payload: { choices: { status, text: [{ content, role: 'assistant', index: 0 }] }, ...more },
  })
  const usage = { usage: { text: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } } }
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

  test('become events, of which the last ends the stream', () => {
    const reader = sparkEvents()
    const first = reader.read(JSON.stringify(frame(0, 'Häfen\nfrieren'), null, 2))
    expect([textOf(first.bytes), first.isLast]).toEqual([
      `data: ${JSON.stringify(frame(0, 'Häfen\nfrieren'))}\n\n`,
      false,
    ])
    expect(reader.read(JSON.stringify(frame(2, '.', usage))).isLast).toBe(true)
  })

  test('messages are collected into one that says all', () => {
    const reader = sparkAnswer()
    const read = [frame(0, 'The '), frame(1, 'end'), frame(2, '.', usage)].map((one) =>
      reader.read(JSON.stringify(one)),
    )
    expect(read.map(({ bytes, isLast }) => [bytes.length > 0, isLast])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ])
    const texts = ['The ', 'end', '.'].map((content) => ({ content, role: 'assistant', index: 0 }))
    expect(JSON.parse(textOf(read[2]?.bytes ?? new Uint8Array()))).toEqual({
      ...frame(2, ''),
      payload: { choices: { status: 2, text: texts }, ...usage },
    })
  })

  test('messages end with an error as it came', () => {
    const failed = JSON.stringify({ header: { code: 11_200, message: 'AppIdNoAuthError', sid: 's', status: 2 } })
    const whole = sparkAnswer().read(failed)
    expect([textOf(whole.bytes), whole.isLast]).toEqual([failed, true])
    const unsaid = JSON.stringify({ header: { code: 10_013, message: 'No', sid: 's', status: 0 } })
    expect(sparkEvents().read(unsaid).isLast).toBe(true)
  })

  test.each(['not JSON', '[1]', '{"header":'])('messages break off at %p', (message) => {
    for (const reader of [sparkEvents(), sparkAnswer()])
      expect(reader.read(message)).toEqual({ bytes: new Uint8Array(), isLast: true })
  })
})
