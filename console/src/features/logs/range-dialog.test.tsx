import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import dayjs from 'dayjs'

import { renderConsole } from '../../../test/render'
import { RangeDialog } from './range-dialog'

const at = (text: string) => dayjs(text).unix()

async function open(from: number | undefined, to: number | undefined) {
  const chosen: object[] = []
  let closed = 0
  const view = await renderConsole(
    <RangeDialog from={from} to={to} onChoose={(range) => chosen.push(range)} onClose={() => (closed += 1)} />,
  )
  const apply = await screen.findByRole<HTMLButtonElement>('button', { name: 'Apply' })
  return { ...view, chosen, apply, closed: () => closed }
}

test('a range is kept to the second', async () => {
  const range = { from: at('2026-03-01 10:00:01'), to: at('2026-03-02 11:00:02') }
  const { user, apply, chosen, closed } = await open(range.from, range.to)
  await user.click(apply)
  expect(chosen).toEqual([range])
  expect(closed()).toBe(1)
})

test('without an end it goes on until now', async () => {
  const from = at('2026-03-01 10:00:00')
  const { user, apply, chosen } = await open(from, undefined)
  await user.click(apply)
  expect(chosen).toEqual([{ from, to: undefined }])
})

test('a range that ends before it begins is said and cannot be applied', async () => {
  const { apply } = await open(at('2026-03-02 10:00:00'), at('2026-03-01 10:00:00'))
  expect(screen.getByText('The end lies before the beginning')).toBeTruthy()
  expect(apply.disabled).toBe(true)
})
