import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { aRedemptionCode } from '../../../test/redemption-code-factory'
import { menuItems } from '../../../test/menu-items'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { BulkActions } from './bulk-actions'
import { RedemptionCodeActions } from './redemption-code-actions'
import { RedemptionCodeStatus, isRedeemable, RedemptionCodeUses, RedemptionCodeWindow } from './redemption-code-cells'
import { RedemptionCodeSearch } from './redemption-code-search'
import { RedemptionCodesPage } from './redemption-codes-page'
import { DeleteByName } from './delete-by-name'
import type { RedemptionCode } from './redemption-code-data'

const readOnly: readonly Grant[] = ['codes.read']
const writing: readonly Grant[] = ['codes.read', 'codes.write']
const [unused, disabled, used] = [1, 2, 3]
const now = 1_800_000_000

interface OpenOptions {
  readonly address?: string
  readonly grants?: readonly Grant[]
  readonly responses?: Parameters<typeof serve>[0]
}

async function openPage({ address = '', grants = writing, responses = {} }: OpenOptions = {}) {
  const items = [aRedemptionCode(), aRedemptionCode({ id: 8, name: 'Autumn' })]
  const list = () => ({ items, page: 1, page_size: 10, total: 25 })
  const calls = serve({ 'GET /api/redemption': list, 'GET /api/redemption/search': list, ...responses })
  const view = await renderConsole(<RedemptionCodesPage />, {
    address: `/admin/coupons${address}`,
    path: '/admin/coupons',
    validateSearch: (search) => RedemptionCodeSearch.parse(search),
    grants,
  })
  await screen.findByText('Autumn')
  return { ...view, calls, address: () => view.router.state.location.search }
}

test('the list follows its filters and page in the address, and the next page is kept there', async () => {
  const { user, calls, address } = await openPage({ address: '?keyword=spr&status=1&kind=gift' })
  expect(calls[0]).toMatchObject({
    path: '/api/redemption/search',
    query: { keyword: 'spr', status: '1', is_gift: 'true', p: '0', page_size: '20' },
  })
  await user.click(await screen.findByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(calls.map(({ query }) => query['p'])).toContain('1'))
  expect(address()).toMatchObject({ page: 2, keyword: 'spr', status: '1', kind: 'gift' })
})

test('readers without write access are offered no changes', async () => {
  await openPage({ grants: readOnly })
  for (const name of ['Copy selected', 'Disable selected', 'Create codes']) expect(screen.queryByText(name)).toBeNull()
  for (const label of ['Clean up', 'Edit', 'Disable']) expect(screen.queryByLabelText(label)).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('new codes are created as typed and then shown', async () => {
  const { user, calls } = await openPage({
    address: '?edit=new',
    responses: { 'POST /api/redemption': () => ['code-one', 'code-two'] },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'Create codes' }))
  await user.click(drawer.getByRole('button', { name: 'Create codes' }))
  expect(await drawer.findByText('Enter a name of 1 to 20 characters.')).toBeTruthy()
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  await user.type(drawer.getByLabelText(/^Name/), ' Summer ')
  await user.clear(drawer.getByLabelText(/^Number of codes/))
  await user.type(drawer.getByLabelText(/^Number of codes/), '2')
  await user.click(drawer.getByRole('button', { name: 'Create codes' }))
  expect(await screen.findByText('2 codes created')).toBeTruthy()
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    name: 'Summer',
    quota: 100_000,
    quota_days: 0,
    plan_id: 0,
    count: 2,
    key: '',
    is_gift: false,
    max_uses: -1,
    valid_from: 0,
    valid_until: 0,
  })
})

test.each([
  ['a new code', '?edit=new', 'Create codes', 'POST'],
  ['an unused code', '?edit=7', 'Save', 'PUT'],
])(
  'an amount of %s a hundred times above the usual is asked about before it is saved',
  async (_, address, name, method) => {
    const { user, calls } = await openPage({
      address,
      responses: {
        'GET /api/redemption/7': () => aRedemptionCode(),
        'POST /api/redemption': () => ['code-one'],
        'PUT /api/redemption': () => aRedemptionCode(),
      },
    })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'X')
    const drawer = within(screen.getByRole('dialog'))
    const quota = drawer.getByRole('textbox', { name: 'Quota' })
    await user.clear(quota)
    await user.type(quota, '500000')
    await user.click(drawer.getByRole('button', { name }))
    expect(await screen.findByText(/^Quota would be \$500,000\.00/)).toBeTruthy()
    const getSentCalls = () => calls.filter((call) => call.method === method)
    expect(getSentCalls()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() => expect(getSentCalls()).toMatchObject([{ body: { quota: 250_000_000_000 } }]))
  },
)

test('a code that exists already is refused at its field', async () => {
  const { user } = await openPage({
    address: '?edit=new',
    responses: { 'POST /api/redemption': () => new Refusal('redemption.exists', 'This code exists already.') },
  })
  const drawer = within(await screen.findByRole('dialog', { name: 'Create codes' }))
  await user.type(drawer.getByLabelText(/^Name/), 'Summer')
  const key = drawer.getByLabelText(/^Code/)
  await user.type(key, 'SUMMER')
  await user.click(drawer.getByRole('button', { name: 'Create codes' }))
  await waitFor(() => expect(key.getAttribute('aria-invalid')).toBe('true'))
})

test.each<
  [
    string,
    readonly Grant[],
    Partial<RedemptionCode>,
    { toggle?: string; isOn?: boolean; mayEdit?: boolean; menu: string[] },
  ]
>([
  ['an unused code, to a reader', readOnly, {}, { menu: ['Who redeemed it'] }],
  [
    'an unused code',
    writing,
    {},
    { toggle: 'Disable', isOn: true, mayEdit: true, menu: ['Who redeemed it', 'Delete'] },
  ],
  [
    'a disabled code',
    writing,
    { status: disabled },
    { toggle: 'Enable', isOn: true, mayEdit: false, menu: ['Who redeemed it', 'Delete'] },
  ],
  [
    'a used code',
    writing,
    { status: used },
    { toggle: 'Disable', isOn: false, mayEdit: false, menu: ['Who redeemed it', 'Delete'] },
  ],
])('%s is offered the actions of its status', async (_, grants, fields, expected) => {
  serve({})
  const actions = <RedemptionCodeActions code={aRedemptionCode(fields)} onEdit={() => {}} onOpen={() => {}} />
  const { user } = await renderConsole(actions, { grants })
  const toggle = screen.queryByLabelText<HTMLButtonElement>(/^(?:Enable|Disable)$/)
  const edit = screen.queryByLabelText<HTMLButtonElement>('Edit')
  expect({
    ...(toggle && { toggle: toggle.getAttribute('aria-label'), isOn: !toggle.disabled }),
    ...(edit && { mayEdit: !edit.disabled }),
    menu: await menuItems(user, 'More actions for “Spring”'),
  }).toEqual(expected)
})

test.each([
  ['disables an unused code', unused, 'Disable', disabled],
  ['enables a disabled code', disabled, 'Enable', unused],
] as const)('the switch %s', async (_, status, label, sent) => {
  const calls = serve({ 'PUT /api/redemption': () => aRedemptionCode() })
  const actions = <RedemptionCodeActions code={aRedemptionCode({ status })} onEdit={() => {}} onOpen={() => {}} />
  const { user } = await renderConsole(actions, { grants: writing })
  await user.click(screen.getByLabelText(label))
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]).toMatchObject({ query: { status_only: 'true' }, body: { id: 7, status: sent } })
})

test('selected codes are disabled together, and nothing is sent when none of them is there any more', async () => {
  const calls = serve({ 'PUT /api/redemption/batch-disable': () => 2 })
  let doneCount = 0
  const onDone = () => (doneCount += 1)
  const { user, unmount } = await renderConsole(<BulkActions codes={[]} onDone={onDone} />)
  await user.click(screen.getByText('Disable selected'))
  expect(await screen.findByText('Select at least one redemption code.')).toBeTruthy()
  expect(calls).toEqual([])
  unmount()
  const both = await renderConsole(
    <BulkActions codes={[aRedemptionCode(), aRedemptionCode({ id: 8 })]} onDone={onDone} />,
  )
  await both.user.click(screen.getByText('Disable selected'))
  expect(await screen.findByText('2 codes disabled')).toBeTruthy()
  expect(calls.map(({ body }) => body)).toEqual([{ ids: [7, 8] }])
  expect(doneCount).toBe(1)
})

test('codes of one name are deleted only after they were counted, and counted again for another name', async () => {
  const calls = serve({
    'GET /api/redemption/count-by-name': ({ query }) => (query['name'] === 'Spring' ? 3 : 0),
    'DELETE /api/redemption/delete-by-name': () => 3,
  })
  let isClosed = false
  const { user } = await renderConsole(<DeleteByName onClose={() => (isClosed = true)} />)
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  expect(button('Count codes').disabled).toBe(true)
  await user.type(screen.getByLabelText(/^Name/), 'None')
  await user.click(button('Count codes'))
  expect(await screen.findByText('No code has this name.')).toBeTruthy()
  expect(button('Count codes').disabled).toBe(true)
  await user.clear(screen.getByLabelText(/^Name/))
  await user.type(screen.getByLabelText(/^Name/), ' Spring ')
  expect(screen.queryByText('No code has this name.')).toBeNull()
  await user.click(button('Count codes'))
  expect(await screen.findByText('3 codes have this name.')).toBeTruthy()
  expect(calls.filter(({ method }) => method === 'DELETE')).toEqual([])
  await user.click(button('Delete 3 codes'))
  await waitFor(() => expect(isClosed).toBe(true))
  expect(calls.find(({ method }) => method === 'DELETE')?.query).toEqual({ name: 'Spring' })
})

test.each<[Partial<RedemptionCode>, string, boolean]>([
  [{}, 'Unused', true],
  [{ is_gift: true, used_count: 1, max_uses: 500 }, 'In use', true],
  [{ status: disabled }, 'Disabled', false],
  [{ status: used }, 'Used', false],
  [{ status: 9 }, 'Unknown', false],
  [{ valid_until: now - 1 }, 'Expired', false],
  [{ valid_until: now }, 'Unused', true],
  [{ valid_from: now + 1 }, 'Not yet valid', true],
  [{ valid_from: now }, 'Unused', true],
  [{ status: used, valid_until: now - 1 }, 'Used', false],
])('a code with %j is “%s”', async (fields, text, canBeRedeemed) => {
  const code = aRedemptionCode(fields)
  await renderConsole(
    <main>
      <RedemptionCodeStatus code={code} now={now} />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toBe(text)
  expect(isRedeemable(code, now)).toBe(canBeRedeemed)
})

test.each<[Partial<RedemptionCode>, RegExp]>([
  [{}, /^Not yet$/],
  [{ used_count: 1, used_username: 'mei', redeemed_time: 1_700_000_000 }, /^mei .+ ago$/],
  [{ is_gift: true, used_count: 2, max_uses: 3 }, /^2 of 3$/],
  [{ is_gift: true, used_count: 2, max_uses: -1 }, /^2, no limit$/],
])('a code with %j says how it was redeemed', async (fields, text) => {
  await renderConsole(
    <main>
      <RedemptionCodeUses code={aRedemptionCode(fields)} />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toMatch(text)
})

test.each<[Partial<RedemptionCode>, RegExp]>([
  [{}, /^Always$/],
  [{ valid_from: now }, /^from 2027-01-\d\d [\d:]+$/],
  [{ valid_until: now }, /^until 2027-01-\d\d [\d:]+$/],
  [{ valid_from: now, valid_until: now + 86_400 }, /^from 2027-[-\d]+ [\d:]+until 2027-[-\d]+ [\d:]+$/],
])('a code with %j says when it is valid', async (fields, text) => {
  await renderConsole(
    <main>
      <RedemptionCodeWindow code={aRedemptionCode(fields)} />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toMatch(text)
})
