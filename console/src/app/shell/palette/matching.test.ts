import { expect, test } from 'bun:test'
import { IconKey } from '@tabler/icons-react'

import { matching, terms } from './matching'

const aCommand = (label: string, id = label) => ({ id, kind: 'page', label, icon: IconKey, does: { to: '/' } }) as const
const names = (labels: readonly string[], typed: string) =>
  matching(
    labels.map((label) => aCommand(label)),
    typed,
  ).map(({ label }) => label)

test('names that begin with the query come before those that only contain it', () => {
  expect(names(['Change log', 'Login', 'Catalog', 'Logs'], 'log')).toEqual(['Login', 'Logs', 'Change log', 'Catalog'])
})

test('an empty query returns everything in its order', () => {
  expect(names(['b', 'a'], '  ')).toEqual(['b', 'a'])
})

test.each(['yibiaopan', '仪表盘', 'usage charts'])('a page is found by a synonym: %s', (typed) => {
  expect(
    matching([aCommand('Dashboard', '/app/dashboard'), aCommand('Channels', '/admin/channels')], typed),
  ).toHaveLength(1)
})

test.each([
  ['notifications', '/app/inbox'],
  ['站内信', '/app/inbox'],
  ['shoujianxiang', '/app/inbox'],
  ['broadcast', '/admin/messages'],
  ['群发', '/admin/messages'],
  ['xiaoxiguanli', '/admin/messages'],
  ['kami', '/admin/coupons'],
  ['tuikuan', '/admin/orders'],
  ['账单', '/app/wallet'],
])('“%s” finds the page %s', (typed, id) => {
  expect(matching([aCommand('Something else', id), aCommand('Channels', '/admin/channels')], typed)).toMatchObject([
    { id },
  ])
})

test('every search term is stored in normalized form', () => {
  for (const words of Object.values(terms)) expect(words).toBe(words.toLowerCase())
})
