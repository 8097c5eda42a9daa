import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import { role, windowRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { aStanding } from '../../../test/standing-factory'
import { LimitsDrawer } from './limits-drawer'
import type { LimitsOwner, LimitSettings } from './limits-data'
import type { Standing } from './standings-data'

const aLimit = (fields: Partial<LimitSettings> = {}): LimitSettings => ({
  ...windowRoutes.WindowSettings.parse({ id: 1, name: 'Daily', measure: 'requests', limit: 10, span: 'day' }),
  ...fields,
})

const mei: LimitsOwner = { owner: 'user', ref: '7', name: 'mei' }

interface Opened {
  readonly windows?: readonly LimitSettings[]
  readonly standings?: readonly Standing[]
  readonly owner?: LimitsOwner
  readonly put?: (call: RecordedCall) => unknown
  readonly isCurrency?: boolean
}

async function open({ windows = [], standings = [], owner = mei, put, isCurrency = true }: Opened = {}) {
  let closings = 0
  const saved = put ?? (({ body }: RecordedCall) => ({ ...(body as object), standings: [] }))
  const calls = serve({
    'GET /api/window': () => ({ windows, standings }),
    'GET /api/token/windows': () => ({ windows, standings }),
    'GET /api/channel/models_enabled': () => ['gpt-4o-mini'],
    'PUT /api/window': saved,
    'PUT /api/token/windows': saved,
  })
  const view = await renderConsole(<LimitsDrawer owner={owner} onClose={() => (closings += 1)} />, {
    user: { role: role.admin },
    site: { display_in_currency: isCurrency },
  })
  await screen.findByRole('button', { name: 'Add a limit' })
  const bodies = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as { windows: object[] })
  return { ...view, calls, bodies, closings: () => closings, save: () => screen.getByRole('button', { name: 'Save' }) }
}

const lengths = () =>
  within(screen.getByRole('combobox', { name: 'Per' }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

test('a new limit is proposed a name and is sent with those that were there', async () => {
  const { user, bodies, save, closings } = await open({ windows: [aLimit({ grace_percent: 5 })] })
  await user.click(screen.getByRole('button', { name: 'Add a limit' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'What is limited' }), 'Spending')
  await user.type(screen.getByRole('textbox', { name: 'Limit' }), '5')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Per' }), 'Month')
  expect(screen.getByRole('textbox', { name: 'Name' }).getAttribute('placeholder')).toBe('Spending per month')
  await user.click(save())
  await waitFor(() => expect(closings()).toBe(1))
  expect(bodies()).toEqual([
    {
      owner: 'user',
      ref: '7',
      windows: [
        aLimit({ grace_percent: 5 }),
        {
          name: 'Spending per month',
          measure: 'quota',
          limit: 2_500_000,
          span: 'month',
          seconds: 0,
          starts_at: 0,
          ends_at: 0,
          is_sliding: false,
          time_zone: '',
          grace_percent: 0,
          fallback_model: '',
          alert_percents: [],
          alerts_operators: false,
        },
      ],
    },
  ] as never)
})

test('money is typed in units where the site shows units', async () => {
  const { user, bodies, save } = await open({
    isCurrency: false,
    owner: { owner: 'token', ref: '4', name: 'k', isOwn: true },
  })
  await user.click(screen.getByRole('button', { name: 'Add a limit' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'What is limited' }), 'Spending')
  await user.type(screen.getByRole('textbox', { name: 'Limit' }), '1234')
  await user.click(save())
  await waitFor(() => expect(bodies()).toMatchObject([{ token_id: 4, windows: [{ measure: 'quota', limit: 1234 }] }]))
})

test('each kind of limit has the lengths it can have', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Add a limit' }))
  const usual = [
    'Minute',
    '5 hours',
    'Day',
    'Week',
    'Month',
    'Custom length',
    'From one date to another',
    'Never resets',
  ]
  expect(lengths()).toEqual(usual)
  const measure = screen.getByRole('combobox', { name: 'What is limited' })
  await user.selectOptions(measure, 'Output tokens')
  expect(lengths()).toEqual(['Each call', ...usual])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Per' }), 'Each call')
  await user.selectOptions(measure, 'Tokens')
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Per' }).value).toBe('day')
  await user.selectOptions(measure, 'Calls at the same time')
  expect(screen.queryByRole('combobox', { name: 'Per' })).toBeNull()
})

test.each([
  ['Minute', ['switch Start with the first call']],
  ['Day', ['switch Start with the first call', 'combobox Time zone']],
  ['Custom length', ['textbox Length', 'switch Start with the first call']],
  ['From one date to another', ['button From', 'button To']],
  ['Never resets', []],
] as const)('a limit of the length “%s” has the fields of it alone', async (length, expected) => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Add a limit' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Per' }), length)
  const fields = [
    ['textbox', 'Length'],
    ['button', 'From'],
    ['button', 'To'],
    ['switch', 'Start with the first call'],
    ['combobox', 'Time zone'],
  ] as const
  const shown = fields.filter(([kind, name]) => screen.queryByRole(kind, { name: new RegExp(`^${name}`) }) !== null)
  expect(shown.map(([kind, name]) => `${kind} ${name}`)).toEqual([...expected])
})

test('a custom length is typed in a unit and sent in seconds', async () => {
  const { user, bodies, save } = await open()
  await user.click(screen.getByRole('button', { name: 'Add a limit' }))
  await user.type(screen.getByRole('textbox', { name: 'Limit' }), '20')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Per' }), 'Custom length')
  const length = screen.getByRole('textbox', { name: 'Length' })
  await user.clear(length)
  await user.type(length, '3')
  await user.click(save())
  await waitFor(() =>
    expect(bodies()).toMatchObject([{ windows: [{ name: 'Calls in 3 hours', span: 'seconds', seconds: 10_800 }] }]),
  )
})

test('grace, fallback and alerts are folded away until they are wanted', async () => {
  const { user, bodies, save } = await open({ windows: [aLimit()] })
  await user.click(screen.getByRole('button', { name: 'Edit “Daily”' }))
  expect(screen.queryByRole('textbox', { name: 'Grace (%)' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Grace, fallback and alerts' }))
  const grace = screen.getByRole('textbox', { name: 'Grace (%)' })
  await user.clear(grace)
  await user.type(grace, '10')
  expect(screen.queryByRole('switch', { name: 'Tell operators too' })).toBeNull()
  await user.click(screen.getByRole('button', { name: '95%' }))
  await user.click(screen.getByRole('button', { name: '80%' }))
  await user.click(screen.getByRole('switch', { name: 'Tell operators too' }))
  await user.click(save())
  await waitFor(() =>
    expect(bodies()).toMatchObject([
      { windows: [{ id: 1, name: 'Daily', grace_percent: 10, alert_percents: [95, 80], alerts_operators: true }] },
    ]),
  )
})

test('a limit that cannot be is shown at its field before anything is sent', async () => {
  const { user, bodies, save } = await open({ windows: [aLimit()] })
  await user.click(screen.getByRole('button', { name: 'Edit “Daily”' }))
  const limit = screen.getByRole('textbox', { name: 'Limit' })
  await user.clear(limit)
  await user.click(screen.getByRole('button', { name: 'Close “Daily”' }))
  await user.click(save())
  expect(await screen.findByText(/^A whole number from 1 to/)).toBeTruthy()
  expect(bodies()).toEqual([])
})

test('a refusal of the server is shown at its place, and nothing is lost', async () => {
  const { user, save, closings } = await open({
    windows: [aLimit(), aLimit({ id: 2, name: 'Monthly', span: 'month' })],
    put: () => new Refusal('window.zone', 'Monthly: there is no time zone X.', 200, 'windows.1.time_zone'),
  })
  await user.click(screen.getByRole('button', { name: 'Edit “Daily”' }))
  const limit = screen.getByRole('textbox', { name: 'Limit' })
  await user.clear(limit)
  await user.type(limit, '25')
  await user.click(save())
  const place = within(screen.getByRole('region', { name: 'Monthly' }))
  expect(await place.findByText('Monthly: there is no time zone X.')).toBeTruthy()
  expect(place.getByRole('combobox', { name: 'Time zone' })).toBeTruthy()
  expect(screen.getByText('25 calls per day')).toBeTruthy()
  expect(closings()).toBe(0)
})

test('a refusal without a place is shown below the limits', async () => {
  const { user, save } = await open({
    windows: [aLimit()],
    put: () => new Refusal('window.none', 'One of the limits does not exist any more.'),
  })
  await user.click(save())
  expect(await within(screen.getByRole('alert')).findByText('One of the limits does not exist any more.')).toBeTruthy()
})

test('a removed limit is left out of what is sent', async () => {
  const { user, bodies, save } = await open({ windows: [aLimit(), aLimit({ id: 2, name: 'Monthly' })] })
  await user.click(screen.getByRole('button', { name: 'Remove “Daily”' }))
  await user.click(save())
  await waitFor(() => expect(bodies()).toMatchObject([{ windows: [{ id: 2 }] }]))
  expect(bodies()[0]?.windows).toHaveLength(1)
})

test('what was used is shown until an edit makes the limit start over', async () => {
  const { user } = await open({ windows: [aLimit()], standings: [aStanding({ owner: 'user' })] })
  expect(screen.getByText('3 of 10 calls left')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Edit “Daily”' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Per' }), 'Week')
  expect(screen.queryByText('3 of 10 calls left')).toBeNull()
  expect(screen.getByText('What was used so far no longer counts: the limit starts over.')).toBeTruthy()
})

test('limits of a channel count its cost, cap no single call and name no other model', async () => {
  const { user } = await open({ owner: { owner: 'channel', ref: '3', name: 'first' } })
  await user.click(screen.getByRole('button', { name: 'Add a limit' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'What is limited' }), 'Cost')
  expect(lengths()).not.toContain('Each call')
  await user.click(screen.getByRole('button', { name: 'Grace, fallback and alerts' }))
  expect(screen.queryByRole('combobox', { name: 'Fallback model' })).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Grace (%)' })).toBeTruthy()
})
