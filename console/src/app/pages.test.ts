import { beforeAll, expect, test } from 'bun:test'
import { grants, holdsAny, type Grant } from '@tollgate/contract'

import { aSite, aUser } from '../../test/factories'
import { startTexts } from '../../test/render'
import type { Viewer } from '../lib/api/session'
import { firstReads } from './preload/first-reads'
import { pages, pagesFor } from './pages'

beforeAll(startTexts)

const aViewer = (held: readonly Grant[]): Viewer => ({
  user: aUser(),
  isAdmin: false,
  isRoot: false,
  grants: held,
  hasPlans: false,
  may: (required) => holdsAny(held, required),
})
const shownTo = (held: readonly Grant[], site = aSite()) => pagesFor(site, aViewer(held)).map(({ path }) => path)

/** The pages that each grant alone opens. */
const opened: Readonly<Partial<Record<Grant, readonly string[]>>> = {
  'channels.read': ['/admin/channels'],
  'prices.read': ['/admin/prices', '/admin/settings'],
  'costs.read': ['/admin/earnings'],
  'users.read': ['/admin/users', '/admin/tokens'],
  'balances.write': ['/admin/settings'],
  'codes.read': ['/admin/coupons'],
  'orders.read': ['/admin/orders', '/admin/plans'],
  'messages.read': ['/admin/messages'],
  'settings.read': ['/admin/settings', '/admin/system'],
  'audit.read': ['/admin/audit'],
}

test('guests see the pages that require no account', () => {
  const guest = { ...aViewer([]), user: null }
  expect(pagesFor(aSite(), guest).map(({ path }) => path)).toEqual(['/', '/pricing', '/about'])
})

test('users see no page for administrators', () => {
  expect(shownTo([])).toEqual([
    '/',
    '/pricing',
    '/about',
    '/playground',
    '/app/dashboard',
    '/app/tokens',
    '/app/connect',
    '/app/logs/api-usage',
    '/app/wallet',
    '/app/me',
  ])
})

test.each(grants)('%s alone opens its own pages and no other', (grant) => {
  const more = shownTo([grant]).filter((path) => !shownTo([]).includes(path))
  expect(more).toEqual([...(opened[grant] ?? [])])
})

test('all grants open every page', () => {
  const site = { ...aSite(), enable_drawing: true, enable_task: true }
  const shown = pagesFor(site, { ...aViewer(grants), hasPlans: true })
  expect(shown.map(({ path }) => path)).toEqual(pages.map(({ path }) => path))
})

test('the page of plans is shown to those who have plans', () => {
  const paths = (hasPlans: boolean) => pagesFor(aSite(), { ...aViewer([]), hasPlans }).map(({ path }) => path)
  expect(paths(true)).toContain('/app/plans')
  expect(paths(false)).not.toContain('/app/plans')
})

test('a page is in the menu of those for whom its first requests are made', () => {
  for (const grant of grants)
    for (const [path, { grants: required }] of Object.entries(firstReads))
      if (required)
        expect([path, grant, shownTo([grant]).includes(path)]).toEqual([path, grant, holdsAny([grant], required)])
})

test.each([
  ['enable_data_export', '/app/dashboard'],
  ['enable_drawing', '/app/logs/drawing'],
  ['enable_task', '/app/logs/tasks'],
] as const)('the site’s %s decides whether %s is shown', (option, path) => {
  expect(shownTo(grants, { ...aSite(), [option]: true })).toContain(path)
  expect(shownTo(grants, { ...aSite(), [option]: false })).not.toContain(path)
})
