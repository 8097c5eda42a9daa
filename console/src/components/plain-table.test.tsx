import { afterEach, expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../test/render'
import { PlainTable } from './plain-table'

// The viewport of the simulated window.
const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
afterEach(() => happyDOM.setViewport({ width: 1440 }))

const open = (minWidth: number) =>
  renderConsole(
    <PlainTable
      label="Jobs"
      minWidth={minWidth}
      columns={['Job', 'Last run']}
      rows={[{ key: 'mails', cells: ['Send mails', 'now'] }]}
    />,
  )

test('a table that a phone has no room for names the column of each value there', async () => {
  happyDOM.setViewport({ width: 390 })
  await open(720)
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('list', { name: 'Jobs' }).textContent).toBe('Send mailsLast runnow')
})

test('a narrow table stays one on a phone', async () => {
  happyDOM.setViewport({ width: 390 })
  await open(300)
  expect(screen.getByRole('table', { name: 'Jobs' })).toBeTruthy()
})

test('the action of a row is the last cell, and beside the first on a phone', async () => {
  const table = (
    <PlainTable
      label="Jobs"
      columns={['Job', 'Last run']}
      rows={[{ key: 'mails', cells: ['Send mails', 'now'], action: <button type="button">{'Run'}</button> }]}
      actionTitle="Actions"
    />
  )
  const { unmount } = await renderConsole(table)
  expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual(['JobLast runActions', 'Send mailsnowRun'])
  unmount()
  happyDOM.setViewport({ width: 390 })
  await renderConsole(table)
  expect(screen.getByRole('listitem').textContent).toBe('Send mailsRunLast runnow')
})
