import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aChannel } from '../../../../test/channel-factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { CreatedDialog } from './created-dialog'

const tokens = (total: number) => () => ({ items: [], page: 0, page_size: 1, total })
const pass = () => Response.json({ success: true, message: '', request_id: 'req-1', data: null, time: 1.5 })

test('after the first channel passed its test, the next step is a token', async () => {
  serve({ 'GET /api/channel/test/7': pass, 'GET /api/token': tokens(0) })
  const { user } = await renderConsole(<CreatedDialog channel={aChannel()} onClose={() => {}} />)
  await user.click(await screen.findByRole('button', { name: 'Test now' }))
  const next = await screen.findByRole('link', { name: 'Create a token' })
  expect(next.getAttribute('href')).toBe('/app/tokens?edit=new')
  expect(screen.getByRole('button', { name: 'Test again' }).dataset['variant']).toBe('default')
})

test('after a later channel passed its test, the dialog is done', async () => {
  let closed = 0
  serve({ 'GET /api/channel/test/7': pass, 'GET /api/token': tokens(3) })
  const { user } = await renderConsole(<CreatedDialog channel={aChannel()} onClose={() => (closed += 1)} />)
  await user.click(await screen.findByRole('button', { name: 'Test now' }))
  await user.click(await screen.findByRole('button', { name: 'Done' }))
  expect(closed).toBe(1)
})

test('a failed test shows why and can be repeated with another model', async () => {
  const calls = serve({
    'GET /api/channel/test/7': ({ query }) =>
      query['model'] === 'kite-1' ? new Refusal('channel.test_failed', 'kite-1 is asleep') : pass(),
    'GET /api/token': tokens(3),
  })
  const { user } = await renderConsole(<CreatedDialog channel={aChannel()} onClose={() => {}} />)
  await user.click(await screen.findByRole('button', { name: 'Test now' }))
  expect(await screen.findByText('kite-1 is asleep')).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Test model' }))
  await user.click(await screen.findByRole('option', { name: 'kite-2' }))
  await user.click(screen.getByRole('button', { name: 'Test now' }))
  expect(await screen.findByText(/^The test passed in/)).toBeTruthy()
  expect(screen.queryByText('kite-1 is asleep')).toBeNull()
  const tests = calls.filter(({ path }) => path === '/api/channel/test/7')
  expect(tests.map(({ query }) => query['model'])).toEqual(['kite-1', 'kite-2'])
})

test('the channel’s own test model comes first', async () => {
  serve({})
  await renderConsole(<CreatedDialog channel={aChannel({ test_model: 'kite-2' })} onClose={() => {}} />)
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Test model' })).value).toBe('kite-2')
})
