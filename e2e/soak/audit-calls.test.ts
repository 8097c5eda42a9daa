import { describe, expect, test } from 'bun:test'

import { quotaByTokens } from '../formula'
import type { CallOutcome } from './call-outcome'
import { auditCalls, type ChargedCall } from './audit-calls'
import { chatModel, prices, sessionModel } from './site'
import type { ServedRequest } from './upstream-process'

/** 30 + 2.5 * 24 at a ratio of 1.3. */
const cost = 117
const usage = { prompt: 30, completion: 24 }

const aCall = (fields: Partial<CallOutcome> = {}): CallOutcome => ({
  name: 'soak-1-1',
  payer: { userId: 2, tokenId: 3, key: 'sk-any' },
  model: chatModel,
  requestId: 'r1',
  status: 200,
  isComplete: true,
  hasLeft: false,
  isLate: false,
  ms: 1,
  ...fields,
})
const aServedRequest = (fields: Partial<ServedRequest> = {}): ServedRequest => ({
  name: 'soak-1-1',
  model: chatModel,
  status: 200,
  promptTokens: usage.prompt,
  completionTokens: usage.completion,
  isResponse: true,
  hasStarted: false,
  isMisreported: false,
  file: 'none',
  outcome: 'completed',
  ...fields,
})
const aChargedCall = (fields: Partial<ChargedCall> = {}): ChargedCall => ({
  request_id: 'r1',
  user_id: 2,
  token_id: 3,
  model_name: chatModel,
  prompt_tokens: usage.prompt,
  completion_tokens: usage.completion,
  quota: cost,
  charged: cost,
  is_estimated: 0,
  is_cut: 0,
  ...fields,
})

/** (30 + 2.5) at a ratio of 1.3. */
const startCost = 42

const kindsOf = (calls: CallOutcome[], upstream: ServedRequest[], rows: ChargedCall[]): string[] =>
  auditCalls({ calls, served: upstream, charged: rows }).map(({ kind }) => kind)

test('a response charged once and exactly is correct', () => {
  expect(kindsOf([aCall()], [aServedRequest()], [aChargedCall()])).toEqual([])
})

test('a response that was cut as its caller had no more costs what was sent', () => {
  const cut = { is_estimated: 1, completion_tokens: 1, quota: startCost, charged: startCost }
  expect(kindsOf([aCall()], [aServedRequest()], [aChargedCall({ ...cut, is_cut: 1 })])).toEqual([])
  expect(kindsOf([aCall()], [aServedRequest()], [aChargedCall(cut)])).toEqual(['amount'])
})

test('a response without a charge is lost', () => {
  expect(kindsOf([aCall()], [aServedRequest()], [])).toEqual(['lost'])
})

test('an incomplete response may be charged or not, and at most its cost', () => {
  const broken = aCall({ isComplete: false })
  expect(kindsOf([broken], [aServedRequest()], [])).toEqual([])
  expect(kindsOf([broken], [aServedRequest()], [aChargedCall()])).toEqual([])
  expect(kindsOf([broken], [aServedRequest({ isResponse: false })], [aChargedCall()])).toEqual(['amount'])
})

const aStart = (fields: Partial<ServedRequest> = {}) =>
  aServedRequest({ isResponse: false, hasStarted: true, ...fields })
const aStartRow = (fields: Partial<ChargedCall> = {}) =>
  aChargedCall({ is_estimated: 1, completion_tokens: 1, quota: startCost, charged: startCost, ...fields })

describe('a response that started and would have failed', () => {
  const gone = { requestId: '', status: 0, isComplete: false, hasLeft: true }
  const heard = { isComplete: false, hasLeft: true }

  test('a caller who was gone or sent away before its error pays what the start reported, once', () => {
    expect(kindsOf([aCall(gone)], [aStart()], [aStartRow()])).toEqual([])
    expect(kindsOf([aCall(heard)], [aServedRequest({ isResponse: false }), aStart()], [aStartRow()])).toEqual([])
    expect(kindsOf([aCall({ status: 403, isComplete: false })], [aStart()], [aStartRow()])).toEqual([])
    expect(kindsOf([aCall(gone)], [aStart()], [])).toEqual([])
    expect(kindsOf([aCall(gone)], [aStart()], [aStartRow(), aStartRow({ request_id: 'r2' })])).toEqual(['doubled'])
  })

  test('a caller who stayed pays nothing for it', () => {
    expect(kindsOf([aCall({ ...gone, hasLeft: false })], [aStart()], [aStartRow()])).toEqual(['doubled'])
    expect(kindsOf([aCall({ ...heard, hasLeft: false })], [aStart()], [aStartRow()])).toEqual(['amount'])
  })

  test.each([
    ['an error without a start', aServedRequest({ isResponse: false }), aStartRow()],
    ['a start of another length', aStart({ promptTokens: usage.prompt - 1 }), aStartRow()],
    ['the response that did not follow', aStart(), aChargedCall({ is_estimated: 1 })],
    ['a usage that no start reports', aStart(), aStartRow({ is_estimated: 0 })],
  ])('no caller is charged for %s', (_, one, row) => {
    expect(kindsOf([aCall(gone)], [one], [row])).toEqual(['doubled'])
    expect(kindsOf([aCall(heard)], [one], [row])).toEqual(['amount'])
  })

  test('no caller is charged for a start after which another channel was tried', () => {
    const served = [aStart(), aServedRequest({ isResponse: false })]
    expect(kindsOf([aCall(gone)], served, [aStartRow()])).toEqual(['doubled'])
  })
})

test('a response of a session that broke off may have a higher number than its client counts, and no other session’s row', () => {
  const broken = aCall({ model: sessionModel, requestId: 's1-2', isComplete: false })
  const quota = quotaByTokens(prices[sessionModel] ?? { model: 0 }, usage)
  const row = (request_id: string) => aChargedCall({ request_id, model_name: sessionModel, quota, charged: quota })
  expect(kindsOf([broken], [aServedRequest()], [row('s1-3')])).toEqual([])
  expect(kindsOf([broken], [aServedRequest()], [row('s1-2'), row('s1-3')])).toEqual(['doubled'])
  expect(kindsOf([broken], [aServedRequest()], [row('s2-3')])).toEqual(['doubled'])
})

test.each([
  ['a charge that the formula does not give', aChargedCall({ quota: cost + 1, charged: cost + 1 })],
  ['a charge that is not what was logged', aChargedCall({ charged: cost - 1 })],
  ['a usage that the upstream did not count', aChargedCall({ completion_tokens: 4, quota: 52, charged: 52 })],
  ['a charge to another user', aChargedCall({ user_id: 9 })],
])('%s is a wrong amount', (_, row) => {
  expect(new Set(kindsOf([aCall()], [aServedRequest()], [row]))).toEqual(new Set(['amount']))
})

test('a response with an impossible usage is charged an estimate close to what was served', () => {
  // (28 + 2.5 * 24) at a ratio of 1.3.
  const near = aChargedCall({ is_estimated: 1, prompt_tokens: usage.prompt - 2, quota: 114, charged: 114 })
  expect(kindsOf([aCall()], [aServedRequest({ isMisreported: true })], [near])).toEqual([])
  expect(kindsOf([aCall()], [aServedRequest()], [near])).toEqual(['amount'])
  const withFile = aChargedCall({ is_estimated: 1, prompt_tokens: usage.prompt + 4900, quota: 6487, charged: 6487 })
  expect(kindsOf([aCall()], [aServedRequest({ isMisreported: true, file: 'there' })], [withFile])).toEqual([])
  const far = aChargedCall({ is_estimated: 1, prompt_tokens: 5, quota: 85, charged: 85 })
  expect(kindsOf([aCall()], [aServedRequest({ isMisreported: true })], [far])).toEqual(['amount'])
})

test('a call that went out without its file is lost', () => {
  expect(kindsOf([aCall()], [aServedRequest({ file: 'missing' })], [aChargedCall()])).toEqual(['lost'])
})

test('a call charged under two request ids is doubled', () => {
  expect(kindsOf([aCall()], [aServedRequest()], [aChargedCall(), aChargedCall({ request_id: 'r2' })])).toEqual([
    'doubled',
  ])
})

test('a charge with an unknown request id belongs to a call that broke off before its headers, once', () => {
  const unheard = aCall({ requestId: '', status: 0, isComplete: false })
  expect(kindsOf([unheard], [aServedRequest()], [aChargedCall()])).toEqual([])
  expect(kindsOf([unheard], [aServedRequest()], [aChargedCall(), aChargedCall({ request_id: 'r2' })])).toEqual([
    'doubled',
  ])
  expect(kindsOf([unheard], [], [aChargedCall()])).toEqual(['doubled'])
})

test('an estimate that fits several unknown calls leaves each exact charge the call it needs', () => {
  const unheard = ['soak-1-1', 'soak-1-2'].map((name) => aCall({ name, requestId: '', status: 0, isComplete: false }))
  const upstream = [aServedRequest(), aServedRequest({ name: 'soak-1-2', promptTokens: 60 })]
  const exact = aChargedCall({ request_id: 'r2' })
  const estimate = aChargedCall({ is_estimated: 1, prompt_tokens: 28, quota: 114, charged: 114 })
  expect(kindsOf(unheard, upstream, [estimate, exact])).toEqual([])
  expect(kindsOf(unheard, upstream, [estimate, exact, aChargedCall({ request_id: 'r3' })])).toEqual(['doubled'])
})

test('a call refused because the ledger is unavailable is not charged', () => {
  const refused = aCall({ status: 503, isComplete: false })
  expect(kindsOf([refused], [aServedRequest()], [])).toEqual([])
  expect(kindsOf([refused], [aServedRequest()], [aChargedCall()])).toEqual(['amount'])
})

test('a call without a response is a problem', () => {
  expect(kindsOf([aCall({ status: 0, isComplete: false, isLate: true })], [aServedRequest()], [])).toEqual(['other'])
})
