import { expect, test } from 'bun:test'

import { aLog } from '../../../test/log-factory'
import { serve } from '../../../test/server'
import { loggedCall } from './logged-call'

const list = (...items: readonly object[]) => ({ items, page: 1, page_size: 10, total: items.length })

test('a row that is not written yet is looked up again, past the rows of failed attempts', async () => {
  const failed = aLog({ id: 7, type: 6, quota: 0 })
  const responses = [list(), list(failed), list(failed, aLog({ id: 8, quota: 12 }))]
  serve({ 'GET /api/log/self': () => responses.shift() })
  expect(await loggedCall('req-1', [0, 0, 0, 0])).toEqual({ id: 8, quota: 12 })
  expect(responses).toEqual([])
})

test('a call that failed in every attempt has the row of its failure, and one without a row none', async () => {
  serve({ 'GET /api/log/self': () => list(aLog({ id: 7, type: 6, quota: 0 })) })
  expect(await loggedCall('req-1', [0, 0])).toEqual({ id: 7, quota: 0 })
  serve({ 'GET /api/log/self': () => list() })
  expect(await loggedCall('req-1', [0, 0])).toBeUndefined()
})
