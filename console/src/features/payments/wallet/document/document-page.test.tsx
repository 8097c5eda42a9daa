import { expect, test } from 'bun:test'
import type { documentRoutes } from '@tollgate/contract'
import { screen, within } from '@testing-library/react'

import { renderConsole } from '../../../../../test/render'
import { serve } from '../../../../../test/server'
import { anAccount } from '../../../../../test/user-factory'
import { DocumentSheet } from './document-sheet'
import { IssueButton } from './issue-button'

const common = {
  number: 7,
  label: 'INV-000007',
  issued_at: 1_767_225_600,
  time_zone: 'Asia/Shanghai',
  seller: { name: 'Example Ltd', address: '1 High Street\nLondon', tax_id: 'GB123' },
  customer: { name: 'ACME GmbH', address: 'Berlin', tax_id: 'DE999' },
  username: 'ada',
  tax_rate: 13,
  quota_per_unit: 100_000,
  note: 'Thank you.',
}
const invoice: documentRoutes.BillingDocument = {
  ...common,
  kind: 'invoice',
  trade_no: 'USR1NOabc',
  paid_at: 1_767_200_000,
  quota: 1_000_000,
  currency: 'CNY',
  net: '64.60',
  tax: '8.40',
  total: '73.00',
  corrects: '',
}

test('an invoice shows the figures of its day, whatever a unit costs now', async () => {
  await renderConsole(<DocumentSheet document={invoice} />)
  const sheet = within(await screen.findByRole('article'))
  expect(sheet.getByRole('heading', { name: 'Invoice' })).toBeTruthy()
  for (const text of ['ACME GmbH', 'Tax ID: GB123', 'Tax ID: DE999', 'INV-000007', 'USR1NOabc', 'API credit of $10.00'])
    expect(sheet.getByText(text)).toBeTruthy()
  expect(sheet.getAllByText('January 1, 2026')).toHaveLength(2)
  expect(sheet.getByRole('row', { name: 'Tax (13%) CN¥8.40' })).toBeTruthy()
  expect(sheet.getByRole('row', { name: 'Total CN¥73.00' })).toBeTruthy()
})

test('a document without tax has its line and the total alone', async () => {
  await renderConsole(<DocumentSheet document={{ ...invoice, tax_rate: 0, net: '73.00', tax: '0.00' }} />)
  const sheet = within(await screen.findByRole('article'))
  expect(sheet.getByRole('row', { name: 'Total CN¥73.00' })).toBeTruthy()
  expect(sheet.getAllByText('CN¥73.00')).toHaveLength(2)
  expect(sheet.queryByRole('row', { name: /^Tax/ })).toBeNull()
})

test('a credit note names the invoice that it corrects', async () => {
  const note = { ...invoice, kind: 'credit_note', total: '-73.00', quota: -1_000_000, corrects: 'INV-000006' } as const
  await renderConsole(<DocumentSheet document={note} />)
  const sheet = within(await screen.findByRole('article'))
  expect(sheet.getByText('INV-000006')).toBeTruthy()
  expect(sheet.getByText('API credit of $10.00, taken back')).toBeTruthy()
  expect(sheet.queryByText('Paid in full.')).toBeNull()
})

const label = 'Invoice'
const issuing = (setting: object) =>
  serve({
    'GET /api/user/self': () => anAccount({ setting: JSON.stringify(setting) }),
    'PUT /api/user/setting': () => undefined,
    'POST /api/user/documents/invoice': () => [invoice],
    'POST /api/user/documents/statement': () => ({ ...invoice, kind: 'statement', number: 8 }),
  })

test('the invoice of a customer whose details are known opens with one click', async () => {
  const calls = issuing({ billing_name: 'ACME GmbH' })
  const { user, router } = await renderConsole(<IssueButton of={{ trade_no: 'USR1NOabc' }}>{label}</IssueButton>)
  await user.click(await screen.findByRole('button', { name: 'Invoice' }))
  await screen.findByRole('button', { name: 'Invoice' })
  expect(router.state.location.pathname).toBe('/app/wallet/document/7')
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('the numbered statement of a month opens with one click', async () => {
  issuing({ billing_name: 'ACME GmbH' })
  const { user, router } = await renderConsole(<IssueButton of={{ month: '2026-10' }}>{label}</IssueButton>)
  await user.click(await screen.findByRole('button', { name: 'Invoice' }))
  await screen.findByRole('button', { name: 'Invoice' })
  expect(router.state.location.pathname).toBe('/app/wallet/document/8')
})

test('the first invoice asks for the customer’s details before it freezes them', async () => {
  const calls = issuing({})
  const { user } = await renderConsole(<IssueButton of={{ trade_no: 'USR1NOabc' }}>{label}</IssueButton>)
  await user.click(await screen.findByRole('button', { name: 'Invoice' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Billing details' }))
  await user.type(dialog.getByRole('textbox', { name: 'Tax ID' }), 'DE999')
  expect(calls.some(({ path }) => path === '/api/user/documents/invoice')).toBe(false)
  await user.click(dialog.getByRole('button', { name: 'Issue' }))
  await screen.findByRole('button', { name: 'Invoice' })
  expect(calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body])).toEqual([
    ['/api/user/setting', { billing_name: 'Ada Lovelace', billing_address: '', billing_tax_id: 'DE999' }],
    ['/api/user/documents/invoice', { trade_no: 'USR1NOabc' }],
  ])
})
