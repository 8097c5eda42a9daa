import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aChannel } from '../../../../test/channel-factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { CreatedDialog } from './created-dialog'

test('a failed test shows why and can be repeated with another model', async () => {
  const calls = serve({
    'GET /api/channel/test/7': ({ query }) =>
      query['model'] === 'kite-1'
        ? new Refusal('channel.test_failed', 'kite-1 is asleep')
        : Response.json({ success: true, message: '', request_id: 'req-1', data: null, time: 1.5 }),
  })
  const { user } = await renderConsole(<CreatedDialog channel={aChannel()} onClose={() => {}} />)
  await user.click(await screen.findByRole('button', { name: 'Test now' }))
  expect(await screen.findByText('kite-1 is asleep')).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Test model' }))
  await user.click(await screen.findByRole('option', { name: 'kite-2' }))
  await user.click(screen.getByRole('button', { name: 'Test now' }))
  expect(await screen.findByText(/^The test passed in/)).toBeTruthy()
  expect(screen.queryByText('kite-1 is asleep')).toBeNull()
  expect(calls.map(({ query }) => query['model'])).toEqual(['kite-1', 'kite-2'])
})

test('the channel’s own test model comes first', async () => {
  serve({})
  await renderConsole(<CreatedDialog channel={aChannel({ test_model: 'kite-2' })} onClose={() => {}} />)
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Test model' })).value).toBe('kite-2')
})
