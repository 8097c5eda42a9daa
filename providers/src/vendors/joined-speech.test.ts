import { describe, expect, test } from 'bun:test'

import { joinedSpeechEvents as ofDashScope, joinedSpeechLines as ofVolcEngine } from './joined-speech'

const runJoin = (join: typeof ofDashScope, text: string): unknown => {
  const joined = Buffer.from(join(new TextEncoder().encode(text))).toString()
  return joined === '' ? null : JSON.parse(joined)
}
const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')

describe('pieces of speech from DashScope', () => {
  const piece = (audio: object, finish_reason: string, usage = {}) =>
    `id:1\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify({ output: { audio, finish_reason }, usage })}\n\n`
  const pieces = piece({ data: base64(1) }, 'null') + piece({ data: base64(2, 3) }, 'null')

  test('pieces are put together with the usage of the last one', () => {
    const last = piece({ data: '', url: 'https://example.com/a.wav' }, 'stop', { characters: 5 })
    expect(runJoin(ofDashScope, pieces + last)).toEqual({
      output: { audio: { data: base64(1, 2, 3) } },
      usage: { characters: 5 },
    })
  })

  test('pieces without an end leave nothing', () => {
    expect(runJoin(ofDashScope, pieces)).toBeNull()
  })

  test('pieces make way for the failure among them', () => {
    const failure = { code: 'InvalidParameter', message: 'No voice.', request_id: 'r' }
    expect(runJoin(ofDashScope, `${pieces}event:error\ndata:${JSON.stringify(failure)}\n\n`)).toEqual(failure)
  })

  test('a failure in one piece stays as it is', () => {
    expect(runJoin(ofDashScope, '{"code":"InvalidApiKey","message":"No."}')).toEqual({
      code: 'InvalidApiKey',
      message: 'No.',
    })
  })
})

describe('pieces of speech from VolcEngine', () => {
  const line = (reported: object) => `${JSON.stringify(reported)}\n`
  const pieces = line({ code: 0, message: '', data: base64(1) }) + line({ code: 0, message: '', data: base64(2) })
  const end = line({ code: 20_000_000, message: 'ok', data: null })

  test('pieces are put together', () => {
    expect(runJoin(ofVolcEngine, pieces + end)).toEqual({ code: 0, data: base64(1, 2) })
  })

  test('pieces without an end leave nothing', () => {
    expect(runJoin(ofVolcEngine, pieces)).toBeNull()
  })

  test('pieces make way for the failure among them', () => {
    const failure = { code: 55_000_000, message: 'Server error' }
    expect(runJoin(ofVolcEngine, pieces + line(failure))).toEqual(failure)
  })
})
