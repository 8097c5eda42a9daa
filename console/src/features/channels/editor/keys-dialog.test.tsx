import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aChannel } from '../../../../test/channel-factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { KeysDialog } from './keys-dialog'

const good = { fingerprint: 'aaaa', masked: 'sk-…a1b2', status: 1, reason: '', time: 0 }
const bad = { fingerprint: 'bbbb', masked: '', status: 3, reason: 'HTTP 401: no such key', time: 1_700_000_000 }

const tooMany = { at: 1_700_000_000, status: 429, fault: 'refused', message: 'slow down', model: 'kite-1' }

async function open(manage: () => unknown = () => aChannel()) {
  let keys = [good, bad]
  const calls = serve({
    'GET /api/channel/7': () => aChannel({ keys }),
    'GET /api/channel/live': () => ({
      workers: 1,
      channels: [
        {
          id: 7,
          in_flight: 0,
          waiting: 0,
          limit: 0,
          state: 'steady',
          seconds_left: 0,
          models: [],
          keys: [{ fingerprint: 'aaaa', state: 'resting', seconds_left: 30, last_failure: tooMany }],
          last_failure: null,
        },
      ],
    }),
    'POST /api/channel/multi_key/manage': () => {
      const result = manage()
      if (!(result instanceof Refusal)) keys = [good]
      return result
    },
  })
  const view = await renderConsole(<KeysDialog channel={aChannel({ keys })} onClose={() => {}} />, {
    user: { role: 10 },
  })
  await screen.findByText('2 keys, 1 disabled')
  const orders = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { ...view, orders }
}

test('each key shows its state, the reason and since when', async () => {
  await open()
  const row = within(screen.getByRole('group', { name: 'Key 2, bbbb' }))
  expect(row.getByText('Auto-disabled')).toBeTruthy()
  expect(row.getByText('HTTP 401: no such key')).toBeTruthy()
  expect(row.getByText(/ago$/)).toBeTruthy()
})

test('a key is enabled or disabled by its fingerprint', async () => {
  const { user, orders } = await open()
  await user.click(screen.getByRole('button', { name: 'Enable' }))
  await waitFor(() => expect(orders()).toEqual([{ channel_id: 7, action: 'enable_key', fingerprint: 'bbbb' }]))
  expect(await screen.findByText('1 key, 0 disabled')).toBeTruthy()
})

test('deleting a key asks for confirmation', async () => {
  const { user, orders } = await open()
  await user.click(screen.getByRole('button', { name: 'Delete disabled' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete disabled' })
  expect(within(dialog).getByText('1 disabled key will be permanently deleted.')).toBeTruthy()
  expect(orders()).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(orders()).toEqual([{ channel_id: 7, action: 'delete_disabled_keys' }]))
})

test('the server explains why the last key cannot be deleted', async () => {
  const { user } = await open(() => new Refusal('channel.key_last', 'A channel keeps a key'))
  const row = within(screen.getByRole('group', { name: 'Key 1, sk-…a1b2' }))
  await user.click(row.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete key' })
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('A channel keeps a key')).toBeTruthy()
  expect(screen.getByText('2 keys, 1 disabled')).toBeTruthy()
})

test('a key shows its last four characters, its cooldown and why it was refused', async () => {
  await open()
  const row = within(screen.getByRole('group', { name: 'Key 1, sk-…a1b2' }))
  expect(await row.findByText('Rate-limited · 30 s')).toBeTruthy()
  expect(row.getByText(/429 · slow down/)).toBeTruthy()
})
