import { expect, test } from 'bun:test'

import { handlers } from '../../test/all-handlers'
import { routeTable } from '../http/route-table'
import { features } from './features'

const isUnder = (path: string, start: string) => path === start || path.startsWith(`${start}/`)

test('every route is reached through the first feature that its path belongs to', async () => {
  for (const feature of features) {
    for (const { route } of await feature.load()) {
      const first = features.find(({ paths }) => paths.some((start) => isUnder(route.path, start)))
      expect([route.path, first?.paths]).toEqual([route.path, feature.paths])
    }
  }
})

test('no two features claim a route', () => {
  expect(routeTable(handlers).length).toBeGreaterThan(0)
})
