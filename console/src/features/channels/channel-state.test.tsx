import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aChannel, trafficOf } from '../../../test/channel-factories'
import { renderConsole } from '../../../test/render'
import { ChannelStatus } from './channel-cells'
import { ChannelState } from './channel-state'

test.each([
  ['never called, never tested', {}, undefined, ['No calls in the last 24 hours.', 'Never tested.']],
  [
    'all calls failed before a restart',
    { test_time: 1_700_000_000, test_failure: 'HTTP 401' },
    { count: 0, errors: 42 },
    ['42 of 42 attempts of the last 24 hours failed.', /^Last test failed .+: HTTP 401$/],
  ],
  [
    'all well',
    { test_time: 1_700_000_000, response_time: 850 },
    { count: 12, errors: 0 },
    ['All 12 calls of the last 24 hours succeeded.', /^Last test passed .+, in 850 ms\.$/],
  ],
  ['disabled by hand', { status: 2 }, undefined, ['Disabled manually.']],
  ['disabled without a reason', { status: 3 }, undefined, ['Disabled automatically; the reason was not recorded.']],
] as const)(
  'the state of a channel says what is stored, without any memory of the gateway: %s',
  async (_, fields, day, words) => {
    const traffic = trafficOf(1, day ?? { count: 0, errors: 0 })
    await renderConsole(<ChannelState channel={aChannel({ id: 1, ...fields })} live={undefined} traffic={traffic} />)
    for (const text of words) expect(screen.getByText(text)).toBeTruthy()
  },
)

test.each([
  [{ count: 60, errors: 30 }, 'Failing 33%'],
  [{ count: 30, errors: 3 }, 'Enabled'],
  [{ count: 0, errors: 2 }, 'Enabled'],
  [{ count: 27, errors: 3 }, 'Failing 10%'],
] as const)('an enabled channel with %j says “%s”', async (day, words) => {
  const row = { kind: 'channel', channel: aChannel({ id: 1 }), isChild: false } as const
  await renderConsole(<ChannelStatus row={row} traffic={trafficOf(1, day)} />)
  expect(screen.getByText(words)).toBeTruthy()
})
