import { describe, expect, test } from 'bun:test'

import { dialects } from '@tollgate/dialects'

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
