import { expect, test } from 'bun:test'
import { screen, within } from '@testing-library/react'
import { auditActions, type auditRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import en from '../../../locales/en/audit.json'
import { targets } from './audit-cells'
import { AuditPage } from './audit-page'
import { AuditSearch } from './audit-search'

const anAct = (fields: Partial<auditRoutes.AuditEntity> = {}): auditRoutes.AuditEntity => ({
  id: 1,
  created_at: 1_700_000_000,
  request_id: 'req-1',
  user_id: 1,
  username: 'root',
  role: 100,
  means: 'session',
  ip: '192.0.2.1',
  user_agent: 'Firefox',
  action: 'user.manage',
  method: 'POST',
  path: '/api/user/manage',
  target: 'user',
  target_id: '7',
  target_name: 'mei',
  outcome: 'ok',
  before: { status: 1 },
  after: { status: 2, action: 'disable' },
  ...fields,
})

const pageOf = (items: readonly auditRoutes.AuditEntity[]) => ({
  items,
  page: 1,
  page_size: 10,
  total: items.length,
  total_is_lower_bound: false,
})

async function open(address: string, byId: readonly auditRoutes.AuditEntity[] = []) {
  const calls = serve({
    'GET /api/audit': ({ query }) =>
      pageOf(query['id'] ? byId : [anAct(), anAct({ id: 2, action: 'moon.landed', target: 'moon' })]),
  })
  const view = await renderConsole(<AuditPage />, {
    address,
    path: '/admin/audit',
    validateSearch: (search) => AuditSearch.parse(search),
    user: { role: 100 },
  })
  await screen.findByText('moon.landed')
  return { ...view, calls }
}

test('actions are described in words, unknown ones of another release by their code', async () => {
  await open('/admin/audit')
  const row = within(screen.getByRole('table'))
  expect(row.getByText('Ban a user')).toBeTruthy()
  expect(row.getByText('User 7 · mei')).toBeTruthy()
  expect(row.getByText('moon 7 · mei')).toBeTruthy()
})

test('a linked row that is not on the page is requested by its id', async () => {
  const { calls } = await open('/admin/audit?open=99', [anAct({ id: 99, action: 'channel.delete', target: 'channel' })])
  expect(await screen.findByRole('heading', { name: 'Delete a channel' })).toBeTruthy()
  expect(screen.getByText('channel.delete')).toBeTruthy()
  expect(calls.filter(({ query }) => query['id'] === '99')).toHaveLength(1)
})

test('a missing row, or one hidden from the reader, says so', async () => {
  await open('/admin/audit?open=99')
  expect(await screen.findByText('There is no such entry, or you are not allowed to see it.')).toBeTruthy()
})

test('what acts are about has a name in every area but those that act on nothing', () => {
  const areas = new Set(auditActions.map((action) => action.split('.')[0] ?? ''))
  expect([...areas].filter((area) => !targets.some((kind) => kind === area)).toSorted()).toEqual([
    'account',
    'audit',
    'secret',
    'setup',
    'system',
  ])
})

test('every action has a text', () => {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = en.act
  const names = auditActions.map((action) => {
    const [area = '', verb = ''] = action.split('.')
    return texts[area]?.[verb]
  })
  expect(names).not.toContain(undefined)
  expect(new Set(names).size).toBe(auditActions.length)
})
