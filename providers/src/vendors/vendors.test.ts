import { describe, expect, test } from 'bun:test'

import { dialects, errorStatus } from '@tollgate/dialects'

import { providers } from '../index'
import { errorStatusOf, type ModeDescription, type Provider, type Target } from '../provider'
import { aTarget, describedBy, fixtureOf, withModes } from './fixture'

/** Everything a vendor makes of a call. */
function upstreamCall(provider: Provider, mode: ModeDescription, request: Record<string, unknown>, target: Target) {
  const { body, reasoningEffort, leftOut } = mode.shape?.(request, target) ?? { body: request }
  const headers = { ...provider.auth(target), ...mode.headers?.(target) }
  return {
    url: mode.url(target),
    headers,
    body,
    ...(reasoningEffort && { reasoningEffort }),
    ...(leftOut && { leftOut }),
  }
}

const vendors = await Promise.all(
  withModes(providers).map(async (provider) => ({ provider, fixture: await fixtureOf(provider) })),
)

for (const { provider, fixture } of vendors) {
  describe(provider.id, () => {
    for (const [index, { target: overrides, request, upstream, ...selector }] of fixture.cases.entries()) {
      const model = selector.model ?? String(request['model'])
      test(`sends call ${index} (${selector.mode}, ${model}) in the form the vendor expects`, () => {
        const { key, other } = overrides
        const mode = describedBy(provider, { key, other, ...selector, model })
        const target = aTarget({ baseUrl: provider.baseUrl ?? '', model, mode: selector.mode, ...overrides })
        const before = structuredClone(request)
        const call = upstreamCall(provider, mode, request, target)
        expect(call).toEqual(upstream)
        expect(request).toEqual(before)
        expect(Object.is(call.body, request)).toBe(Bun.deepEquals(before, upstream.body, true))
        expect(upstreamCall(provider, mode, call.body, target).body).toEqual(upstream.body)
      })
    }

    test('covers every mode with a call', () => {
      const modes = new Set<string>(fixture.cases.map(({ mode, dialect }) => dialect ?? mode))
      const { modes: described, responses } = provider
      expect(modes).toEqual(new Set([...Object.keys(described), ...(responses ? [responses.dialect] : [])]))
    })

    test('a vendor streams whole events', () => {
      for (const { stream } of [fixture, ...fixture.others]) {
        if (stream === undefined) continue
        const events = stream.split(/\r?\n\r?\n/)
        expect(events.pop()).toBe('')
        const data = events.flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
        expect(events.filter((event) => !/^(?:data: |event: [\w.-]+\r?\ndata: |: )/.test(event))).toBeEmpty()
        expect(data.map((text): unknown => JSON.parse(text))).not.toBeEmpty()
      }
    })

    test('keeps the vendor’s sentence in a failure', () => {
      expect(fixture.error.status).toBeGreaterThanOrEqual(400)
      expect(JSON.stringify(fixture.error.body)).toContain(JSON.stringify(fixture.error.message))
    })

    test('finds a failure in a response only where there is one', () => {
      for (const { way, answer } of [fixture, ...fixture.others]) {
        expect(dialects[describedBy(provider, way ?? { mode: 'chat' }).dialect].readAnswer(answer).error).toBeNull()
      }
      const { dialect, errorStatuses } = describedBy(provider, fixture.way ?? { mode: 'chat' })
      expect(errorStatuses === undefined).toBe(fixture.errorInAnswer === undefined)
      const failed = fixture.errorInAnswer
      const { message = '', code = '' } = (failed && dialects[dialect].readAnswer(failed.answer).error) ?? {}
      const found = { status: errorStatusOf(errorStatuses, code), code, message }
      expect(failed ? found : undefined).toEqual(failed?.error)
    })

    test('a vendor lists its models', () => {
      expect(provider.modelList === undefined).toBe(fixture.modelList === undefined)
      if (provider.modelList === undefined || fixture.modelList === undefined) return
      const { url, headers, baseUrl, answer, models } = fixture.modelList
      const target = { baseUrl: baseUrl ?? provider.baseUrl ?? '', key: 'key-1', other: '' }
      expect(provider.modelList.request(target)).toEqual({ url, headers })
      expect(provider.modelList.parse(answer)).toEqual(models)
    })

    test('the balance at a vendor is read', () => {
      expect(provider.balance === undefined).toBe(fixture.balance === undefined)
      if (provider.balance === undefined || fixture.balance === undefined) return
      const { baseUrl, urls, answers, balance } = fixture.balance
      const target = { baseUrl: baseUrl ?? provider.baseUrl ?? '', key: 'key-1' }
      const calls = provider.balance.requests(target, new Date('2026-03-15T10:00:00Z'))
      expect(calls.map(({ url }) => url)).toEqual(urls)
      for (const { headers } of calls) expect(headers).toEqual(provider.auth(aTarget()))
      const { amount, currency } = provider.balance.parse(answers, target)
      expect([currency, amount]).toEqual([balance.currency, expect.closeTo(balance.amount, 6)])
    })
  })
}

const own = { key: 'a|b|c' }

test.each([
  ['baidu', {}, { error_code: 336_501, error_msg: 'rpm' }, 429],
  ['baidu', {}, { error_code: 111, error_msg: 'Access token expired' }, 401],
  ['coze', {}, { event: 'error', code: 4020, msg: 'rpm' }, 429],
  ['coze', {}, { event: 'conversation.chat.failed', last_error: { code: 4022, msg: 'no money' } }, 402],
  ['coze', {}, { event: 'conversation.chat.failed', last_error: { code: 4010, msg: 'too long' } }, 400],
  ['dify', {}, { event: 'error', status: 400, code: 'provider_quota_exceeded', message: 'quota' }, 429],
  ['dify', {}, { event: 'error', status: 413, code: 'file_too_large', message: 'too large' }, 413],
  ['dify', {}, { event: 'workflow_finished', data: { status: 'failed', error: 'x' } }, 502],
  ['tencent', own, { ErrorMsg: { Code: 'RequestLimitExceeded', Msg: 'rpm' } }, 429],
  ['tencent', own, { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'no' } } }, 401],
  ['iflytek', own, { header: { code: 10_013, message: 'content', status: 2 } }, 400],
  ['iflytek', own, { header: { code: 11_202, message: 'qps', status: 2 } }, 429],
  ['zhipu', { model: 'chatglm_pro' }, { event: 'error', data: '{"code":1302,"msg":"rpm","success":false}' }, 429],
  ['zhipu', { model: 'chatglm_pro' }, { code: 1261, msg: 'too long', success: false }, 400],
  ['palm', {}, { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED' } }, 429],
  ['palm', {}, { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }, 400],
  ['aiproxy', {}, { success: false, errCode: 429, message: 'rpm' }, 429],
  ['aiproxy', {}, { success: false, errCode: 10_001, message: 'no such library' }, null],
])('%s %p: a stream that begins with %j has the status %p', (id, selector, event, status) => {
  const provider = providers.find((one) => one.id === id)
  if (!provider) throw new Error(`There is no vendor ${id}`)
  const { dialect, errorStatuses } = describedBy(provider, { mode: 'chat', ...selector })
  const tap = dialects[dialect].createTap({ swallowUsage: false, addUsage: false })
  tap.push(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
  const { error } = tap
  expect(error && (errorStatusOf(errorStatuses, error.code) ?? errorStatus(error))).toBe(status)
  expect(error).not.toBeNull()
})
