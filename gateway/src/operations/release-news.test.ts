import { expect, test } from 'bun:test'

import { ApiError, role, systemRoutes } from '@tollgate/contract'

import { createClock } from '../platform/time/clock'
import { anAccount, createTestConsole } from '../../test/console-client'
import { eachDatabase } from '../../test/databases'
import { setOptionsIn } from '../../test/options'
import { createWorld } from '../../test/world'
import { systemHandlers } from '../console-api/system/system'
import { checkRelease } from '../app/jobs/job-table'
import { createOutbound, OutboundTimeout } from '../platform/net/outbound/outbound'
import { version } from '../platform/config/version'
import { isNewer } from './release-news'

const { signal } = new AbortController()

/** An outbound client on a network with a single host. */
const outboundTo = (respond: () => Response | Promise<Response>) => {
  const fetch = Object.assign(() => Promise.resolve(respond()), { preconnect: () => {} })
  return createOutbound({
    config: { port: 3000, outboundRanges: [] },
    lookup: (host) =>
      Promise.resolve(host === 'internal.example' ? [{ address: '10.0.0.1' }] : [{ address: '93.184.216.34' }]),
    fetch,
    workerFetch: fetch,
    worker: () => null,
  })
}

test.each(eachDatabase)(
  'a newer release is looked for where an address is configured, and its notes are stored (%s)',
  async (kind) => {
    let now = Date.UTC(2026, 0, 5)
    await using world = await createWorld({ kind, clock: createClock(() => now) })
    let requestCount = 0
    let respond = (): Response => Response.json({ tag_name: 'v999.0.1', body: '**New**' })
    const ctx = {
      ...world.ctx,
      outbound: outboundTo(() => {
        requestCount += 1
        return respond()
      }),
    }
    const site = createTestConsole(ctx, systemHandlers)
    const client = site.client(await site.signIn((await anAccount(ctx, { role: role.admin })).id))
    const check = () =>
      client.call(systemRoutes.checkRelease).catch((error: unknown) => (error instanceof ApiError ? error.code : null))
    expect(await client.call(systemRoutes.release)).toEqual({
      current: version,
      is_set_up: false,
      news: null,
      is_newer: false,
    })
    expect(await check()).toBe('release.off')
    await checkRelease(ctx).run(signal)
    expect(requestCount).toBe(0)

    await setOptionsIn(ctx, { VersionCheckUrl: 'https://releases.example/latest' })
    expect(await check()).toMatchObject({ is_newer: true, news: { version: '999.0.1', notes: '**New**', failure: '' } })
    await checkRelease(ctx).run(signal)
    expect(requestCount).toBe(1)
    now += 86_400_000
    respond = () => new Response('Not here', { status: 404 })
    await checkRelease(ctx).run(signal)
    expect(requestCount).toBe(2)
    expect(await client.call(systemRoutes.release)).toMatchObject({
      is_newer: true,
      news: { version: '999.0.1', failure: 'status', status: 404 },
    })
    const failures: [() => Response, string][] = [
      [() => Response.json({ tag_name: 'nightly' }), 'unreadable'],
      [() => new Response('<html>'), 'unreadable'],
      [
        () => {
          throw new OutboundTimeout()
        },
        'timeout',
      ],
      [
        () => {
          throw new Error('connection refused')
        },
        'unreachable',
      ],
    ]
    for (const [failing, failure] of failures) {
      respond = failing
      expect(await check()).toMatchObject({ news: { failure } })
    }
    await setOptionsIn(ctx, { VersionCheckUrl: 'https://internal.example/latest' })
    expect(await check()).toMatchObject({ news: { failure: 'address' } })
  },
)

test('versions are compared by their numbers, and a pre-release comes before its release', () => {
  const newer: [string, string][] = [
    ['v1.2.10', '1.2.9'],
    ['1.3', '1.2.9'],
    ['2.0.0', '1.99.99'],
    ['1.0.0', '1.0.0-rc.1'],
  ]
  for (const [text, than] of newer) {
    expect([text, isNewer(text, than), isNewer(than, text)]).toEqual([text, true, false])
  }
  expect([isNewer('1.0.0', 'v1.0.0'), isNewer('nightly', '1.0.0')]).toEqual([false, false])
})
