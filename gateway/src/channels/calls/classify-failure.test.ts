import { defaultOptions } from '@tollgate/contract'
import { describe, expect, test } from 'bun:test'

import { UpstreamError, type UpstreamErrorDetails } from './upstream-error'
import { classifyFailure, shouldDisable, isRetryable, weightOf, type FailureClass } from './classify-failure'

interface Judgement {
  readonly failureClass: FailureClass
  readonly weight: number
  readonly isRetryable: boolean
  readonly isFatal: boolean
}

function assess(details: Partial<UpstreamErrorDetails>, options = defaultOptions): Judgement {
  const error = new UpstreamError({ fault: 'refused', status: 400, message: '', ...details })
  const failureClass = classifyFailure(error, options)
  return {
    failureClass,
    weight: weightOf(error, failureClass),
    isRetryable: isRetryable(error, failureClass, options),
    isFatal: shouldDisable(error, options),
  }
}

const ordinary = { weight: 1, isRetryable: true, isFatal: false } as const

describe('a failure without a response of the upstream', () => {
  test.each<[UpstreamErrorDetails['fault'], Judgement]>([
    ['unreachable', { ...ordinary, failureClass: 'channel' }],
    ['malformed', { ...ordinary, failureClass: 'channel' }],
    ['silent', { ...ordinary, failureClass: 'channel', weight: 2 }],
    ['timeout', { ...ordinary, failureClass: 'channel', isRetryable: false }],
    ['stale', { ...ordinary, failureClass: 'none' }],
    ['busy', { ...ordinary, failureClass: 'none' }],
    ['abandoned', { ...ordinary, failureClass: 'none', isRetryable: false }],
  ])('%s is judged by its kind, not by its status', (fault, expected) => {
    for (const status of [401, 404, 502]) expect(assess({ fault, status, code: 'invalid_api_key' })).toEqual(expected)
  })
})

describe('a refusal', () => {
  test.each<[string, Partial<UpstreamErrorDetails>, Judgement]>([
    ['400 alone blames the request', { status: 400 }, { ...ordinary, failureClass: 'request', isRetryable: false }],
    ['408 blames the channel', { status: 408 }, { ...ordinary, failureClass: 'channel' }],
    [
      '413 blames the request, and another channel may take it',
      { status: 413 },
      { ...ordinary, failureClass: 'request' },
    ],
    [
      '422 blames the request, and another channel may take it',
      { status: 422 },
      { ...ordinary, failureClass: 'request' },
    ],
    ['500 blames the channel', { status: 500 }, { ...ordinary, failureClass: 'channel' }],
    ['529 blames the channel', { status: 529 }, { ...ordinary, failureClass: 'channel' }],
    ['404 blames the model', { status: 404 }, { ...ordinary, failureClass: 'model' }],
    ['429 blames the key', { status: 429 }, { ...ordinary, failureClass: 'key' }],
    ['403 blames the key', { status: 403 }, { ...ordinary, failureClass: 'key' }],
    ['402 is certain to be the key', { status: 402 }, { ...ordinary, failureClass: 'key', weight: Infinity }],
    [
      '401 is certain to be the key, which is disabled',
      { status: 401 },
      { failureClass: 'key', weight: Infinity, isRetryable: true, isFatal: true },
    ],
    [
      'a code that rejects the key does so with any status',
      { status: 500, code: 'billing_not_active' },
      { failureClass: 'key', weight: Infinity, isRetryable: true, isFatal: true },
    ],
    [
      'a type that rejects the key does so with a status of the request',
      { status: 400, type: 'authentication_error' },
      { failureClass: 'key', weight: Infinity, isRetryable: true, isFatal: true },
    ],
    [
      'a phrase of the operator in a 400 blames the key, which is disabled',
      { status: 400, message: 'Your credit balance is TOO LOW to go on' },
      { failureClass: 'key', weight: 1, isRetryable: true, isFatal: true },
    ],
    ...[401, 403].map((status): [string, Partial<UpstreamErrorDetails>, Judgement] => [
      `${status} with a code that rejects the model leaves the key alone`,
      { status, code: 'invalid_model', type: 'invalid_request_error', message: 'No permission to use the model' },
      { ...ordinary, failureClass: 'model', weight: Infinity },
    ]),
    [
      'a code that rejects the model is certain',
      { status: 400, code: 'model_not_found' },
      { ...ordinary, failureClass: 'model', weight: Infinity },
    ],
    [
      'a phrase that rejects the model proves nothing in a 400',
      { status: 400, message: 'The model `x` does not exist' },
      { ...ordinary, failureClass: 'model' },
    ],
    [
      'a phrase that rejects the model is certain in a 404',
      { status: 404, message: 'The model `x` does not exist' },
      { ...ordinary, failureClass: 'model', weight: Infinity },
    ],
    [
      'a Chinese phrase rejects the model',
      { status: 400, message: '该模型不存在' },
      { ...ordinary, failureClass: 'model' },
    ],
    [
      'words of a body without a known shape count like a message',
      { status: 400, words: 'no such model' },
      { ...ordinary, failureClass: 'model' },
    ],
    ...[
      'Insufficient credit balance',
      '余额不足，请充值',
      '账户余额不足',
      '您的账户已欠费，请充值后重试',
      'Sorry, your account balance is insufficient',
      'user quota is not enough',
      'API key not valid. Please pass a valid API key.',
    ].map((message): [string, Partial<UpstreamErrorDetails>, Judgement] => [
      `a 400 that says “${message}” blames the key, and another channel is asked`,
      { status: 400, message },
      { ...ordinary, failureClass: 'key' },
    ]),
    [
      'what a message quotes may be the caller’s words, and blames the request',
      { status: 400, message: "Invalid value: '余额不足'. Supported values are: 'insufficient balance' and 'json'" },
      { ...ordinary, failureClass: 'request', isRetryable: false },
    ],
    [
      'a code for a feature that another channel may have allows a retry',
      { status: 400, code: 'unsupported_parameter' },
      { ...ordinary, failureClass: 'request' },
    ],
    [
      'a phrase for a feature that another channel may have allows a retry',
      { status: 400, message: 'Tools are not supported' },
      { ...ordinary, failureClass: 'request' },
    ],
    [
      'a region that is refused allows a retry',
      { message: 'User location is off' },
      { ...ordinary, failureClass: 'request' },
    ],
  ])('%s', (_name, details, expected) => {
    expect(assess(details)).toEqual(expected)
  })

  test('statuses that the operator sets decide about retries and about disabling', () => {
    const options = {
      ...defaultOptions,
      AutomaticRetryStatusCodes: [{ from: 500, to: 503 }],
      AutomaticDisableStatusCodes: [{ from: 403, to: 403 }],
      AutomaticDisableKeywords: ['', 'Gone for good'],
    }
    const seen = [499, 500, 503, 504, 403].map((status) => assess({ status }, options))
    expect(seen.map((one) => one.isRetryable)).toEqual([false, true, true, false, false])
    expect(seen.map((one) => one.isFatal)).toEqual([false, false, false, false, true])
    expect(assess({ status: 400, message: 'gone FOR good' }, options).isFatal).toBe(true)
    expect(assess({ status: 400, message: '' }, options).isFatal).toBe(false)
  })
})
