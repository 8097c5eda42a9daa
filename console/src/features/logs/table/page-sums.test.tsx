import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { logType } from '@tollgate/contract'

import { aLog } from '../../../../test/log-factory'
import { openLogsPage, pageOf } from '../../../../test/open-logs-page'

const sumsRow = () => screen.findByRole('rowheader', { name: /on this page/ })

test('the charged calls of a page are summed below it', async () => {
  const logs = [
    aLog({ id: 3, prompt_tokens: 1_000, completion_tokens: 20, quota: 500_000 }),
    aLog({ id: 2, prompt_tokens: 300, completion_tokens: 4, quota: 250_000 }),
    aLog({ id: 1, type: logType.error, prompt_tokens: 9, completion_tokens: 9, quota: 0 }),
  ]
  await openLogsPage({ 'GET /api/log/self': () => pageOf(logs) }, { looksAt: 'all' })
  const row = (await sumsRow()).closest('tr')
  expect(row?.textContent).toContain('2 charged calls on this page')
  expect(row?.textContent).toContain('1,300 / 24')
  expect(row?.textContent).toContain('$1.50')
})

test('a single call has no sums', async () => {
  await openLogsPage({ 'GET /api/log/self': () => pageOf([aLog({ id: 1 })]) }, { looksAt: 'all' })
  await screen.findByText('small-1')
  expect(screen.queryByRole('rowheader', { name: /on this page/ })).toBeNull()
})
