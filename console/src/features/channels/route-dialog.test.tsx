import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { RouteDialog } from './route-dialog'

const candidate = (fields: object) => ({
  id: 1,
  name: 'One',
  is_healthy: true,
  weight: 0,
  share: 0.75,
  upstream_model: 'kite-1',
  ...fields,
})
const tiers = [
  {
    priority: 10,
    channels: [
      candidate({}),
      candidate({ id: 2, name: 'Two', share: 0.25, is_healthy: false, upstream_model: 'kite-mapped' }),
    ],
  },
  { priority: 0, channels: [candidate({ id: 3, name: 'Last', share: 1 })] },
]

async function open(answer: () => unknown) {
  const calls = serve({
    'GET /api/group': () => ['default', 'vip'],
    'GET /api/channel/models_enabled': () => ['kite-1', 'kite-2'],
    'GET /api/channel/route': answer,
  })
  const view = await renderConsole(<RouteDialog onClose={() => {}} />)
  const choose = async (field: string, value: string) => {
    await view.user.click(await screen.findByRole('combobox', { name: field }))
    await view.user.click(await screen.findByRole('option', { name: value }))
  }
  const asked = () => calls.filter(({ path }) => path.endsWith('/route')).map(({ query }) => query)
  return { ...view, choose, asked }
}

test('nothing is asked before a model is chosen; then who would serve it, tier by tier', async () => {
  const { choose, asked } = await open(() => ({ tiers }))
  expect(asked()).toEqual([])
  await choose('Model', 'kite-1')
  expect(await screen.findByText('1. Priority 10')).toBeTruthy()
  expect(screen.getByText('2. Priority 0')).toBeTruthy()
  expect(screen.getByText('75%')).toBeTruthy()
  expect(screen.getAllByText('Failing')).toHaveLength(1)
  expect(screen.getAllByText(/^asks for/).map(({ textContent }) => textContent)).toEqual(['asks for kite-mapped'])
  await choose('Group', 'vip')
  await waitFor(() => expect(asked().at(-1)).toEqual({ model: 'kite-1', group: 'vip' }))
})

test('nobody is said', async () => {
  const { choose } = await open(() => ({ tiers: [] }))
  await choose('Model', 'kite-2')
  expect(await screen.findByText('No enabled channel serves this model for this group.')).toBeTruthy()
})

test('a failure can be tried again, and the choice stays', async () => {
  let tries = 0
  const { choose, user } = await open(() =>
    (tries += 1) === 1 ? new Refusal('db.down', 'The database is away') : { tiers },
  )
  await choose('Model', 'kite-1')
  await screen.findByText('The database is away')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1. Priority 10')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Model' }).value).toBe('kite-1')
})
