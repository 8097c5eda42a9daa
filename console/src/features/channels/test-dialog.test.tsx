import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aChannel } from '../../../test/channel-factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'
import { TestDialog } from './test-dialog'

const passAfter = (time: number) => Response.json({ success: true, message: '', request_id: 'req-1', data: null, time })

async function open(respond: (call: RecordedCall) => unknown) {
  const calls = serve({ 'GET /api/channel/test/7': respond })
  let closed = 0
  const view = await renderConsole(<TestDialog channel={aChannel()} onClose={() => (closed += 1)} />)
  return { ...view, calls, closed: () => closed }
}

const run = (model: string) => screen.findByRole('button', { name: `Test ${model}` })

test('each model is tested separately and keeps its own result', async () => {
  const { user, calls } = await open(({ query }) =>
    query['model'] === 'kite-1' ? passAfter(1.234) : new Refusal('channel.test_failed', 'kite-2 is asleep'),
  )
  await user.click(await run('kite-1'))
  expect(await screen.findByText('1.2 s')).toBeTruthy()
  await user.click(await run('kite-2'))
  expect(await screen.findByText('kite-2 is asleep')).toBeTruthy()
  expect(screen.getByText('1.2 s')).toBeTruthy()
  expect(calls.map(({ query }) => query['model'])).toEqual(['kite-1', 'kite-2'])
})

test('a failed test can be repeated, which clears its failure', async () => {
  let tries = 0
  const { user } = await open(() =>
    (tries += 1) === 1 ? new Refusal('channel.test_failed', 'asleep') : passAfter(0.5),
  )
  await user.click(await run('kite-1'))
  await screen.findByText('asleep')
  await user.click(await run('kite-1'))
  expect(await screen.findByText('500 ms')).toBeTruthy()
  expect(screen.queryByText('asleep')).toBeNull()
})

test('a search narrows the models and says when none matches', async () => {
  const { user } = await open(() => passAfter(1))
  const search = await screen.findByRole('textbox', { name: 'Search models' })
  await user.type(search, 'KITE-2')
  await untilGone(() => screen.queryByRole('button', { name: 'Test kite-1' }))
  expect(await run('kite-2')).toBeTruthy()
  await user.type(search, '0')
  expect(await screen.findByText('No matching model in this channel.')).toBeTruthy()
})

test('Escape closes it', async () => {
  const { user, closed } = await open(() => passAfter(1))
  await run('kite-1')
  await user.keyboard('{Escape}')
  expect(closed()).toBe(1)
})
