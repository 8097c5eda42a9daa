import { describe, expect, test } from 'bun:test'

import { LogDetails, ownLogDetails, readLogDetails, withLogDetails, writeLogDetails } from './log-details'

const emptyDetails = LogDetails.parse({})

describe('log details', () => {
  test('log details are read as they were written', () => {
    const details = {
      frt: -1000,
      cache_tokens: 3,
      estimated: true,
      usage_estimated: 'all' as const,
      prices: { input: 2, per_call: 0.5 },
      dropped: ['top_k'],
      iterations: [{ model: 'm', output_tokens: 4 }],
      admin_info: {
        attempts: [{ channel: 3, key: 'ab', status: 500, ms: 12, reason: 'x' }],
        use_channel: ['3'],
        upstream_error: { message: 'm', type: 't', code: 'c' },
      },
    }
    expect(readLogDetails(writeLogDetails(details))).toEqual({ ...emptyDetails, ...details })
  })

  test('log details leave out what is undefined', () => {
    expect(writeLogDetails({ frt: 1, ending: undefined })).toBe('{"frt":1}')
  })

  test.each(['', 'null', '[1]', '"text"', '7', 'no JSON', '{"frt":'])('of %p are empty', (text) => {
    expect(readLogDetails(text)).toEqual(emptyDetails)
  })

  test.each<[string, Record<string, unknown>]>([
    ['a number that is a text', { frt: 'soon' }],
    ['a number beyond all bounds', { model_ratio: 1e300 }],
    ['a negative count', { cache_tokens: -1 }],
    ['a fraction of a token', { cache_tokens: 0.5 }],
    ['a flag that is a number', { estimated: 1 }],
    ['a value of a later release', { usage_estimated: 'some' }],
    ['null', { prices: null }],
    ['an attempt without a channel', { admin_info: { attempts: [{ ms: 1 }] } }],
  ])('skip a field that does not fit and keep the others: %s', (_, field) => {
    expect(readLogDetails(JSON.stringify({ ...field, ending: 'broken' }))).toEqual({
      ...emptyDetails,
      ending: 'broken',
    })
  })

  test('log details of earlier releases may have a number as their error code', () => {
    expect(readLogDetails('{"error_code":429}').error_code).toBe('429')
  })

  test('log details for users contain nothing about channels, and keep fields of other releases', () => {
    const text = '{"frt":1,"channel_name":"a","channel_later":2,"admin_info":{"use_channel":["3"]},"later":true}'
    expect(ownLogDetails(text)).toBe('{"frt":1,"later":true}')
    expect(ownLogDetails('no JSON')).toBe('')
  })

  test('log details can be extended with more fields and lose those that are undefined', () => {
    expect(withLogDetails('{"frt":1,"context":"a"}', { input_content: 'b', context: undefined })).toBe(
      '{"frt":1,"input_content":"b"}',
    )
    expect(withLogDetails('', { context: 'a' })).toBe('{"context":"a"}')
  })
})
