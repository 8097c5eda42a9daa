import { describe, expect, test } from 'bun:test'

import { providers } from '../index'
import type { Provider } from '../provider'
import { actionPlatforms } from '../task-apis'
import type { TaskCall, TaskTarget } from '../tasks'
import { taskFixtureOf } from './task-fixture'

const target = ({ baseUrl }: Provider, callbackUrl: string | null = null): TaskTarget => ({
  baseUrl: baseUrl ?? 'https://upstream.example',
  key: 'key-1',
  model: 'a-model',
  other: '',
  site: { name: 'Gate', url: 'https://gate.example' },
  nowMs: Date.UTC(2026, 2, 15),
  callbackUrl,
  name: '',
})

const aCall: TaskCall = { method: 'POST', url: 'https://upstream.example' }

const withTasks = await Promise.all(
  providers
    .filter(({ tasks }) => actionPlatforms.some((platform) => tasks?.[platform] !== undefined))
    .map(async (provider) => ({ provider, fixture: await taskFixtureOf(provider) })),
)

for (const { provider, fixture } of withTasks) {
  describe(`tasks of ${provider.id}`, () => {
    test('the fixture covers every platform of the vendor', () =>
      expect(Object.keys(fixture).sort()).toEqual(Object.keys(provider.tasks ?? {}).sort()))

    for (const platform of actionPlatforms) {
      const found = provider.tasks?.[platform]
      const api = typeof found === 'function' ? found(target(provider)) : found
      const reported = fixture[platform]
      if (!api || !reported) continue

      for (const [index, { request, callbackUrl, call }] of reported.submissions.entries())
        test(`submission ${index} is sent in the form the vendor expects`, () => {
          const before = structuredClone(request)
          expect(api.submit(request, target(provider, callbackUrl))).toEqual(call)
          expect(request).toEqual(before)
        })

      for (const [index, { reply, means }] of reported.replies.entries())
        test(`reply ${index} to a submission is understood`, () =>
          expect<object>(api.readSubmission(reply, aCall)).toEqual(means))

      test('the state of several tasks is asked in one call', () =>
        expect(api.fetch(reported.fetch.ids, target(provider))).toEqual(reported.fetch.call))

      for (const [index, { body, ids, means }] of reported.reports.entries())
        test(`report ${index} is read`, () =>
          expect<readonly object[]>(api.readReports({ status: 200, body }, ids)).toEqual(means))

      test('a reply of another shape is not taken for a report', () => {
        for (const body of reported.malformed)
          expect(() => api.readReports({ status: 200, body }, ['1'])).toThrow(TypeError)
      })
    }
  })
}
