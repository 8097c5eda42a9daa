import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../test/render'
import { untilGone } from '../../../test/until-gone'
import { readTime } from './range-dialog'
import { RangeChoice } from './range-choice'
import type { TimeRange } from '../../lib/text/time-range'

const quick = [
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
] as const
type Chosen = 'day' | 'week' | TimeRange

interface ChoiceProps {
  readonly initial: Chosen
  readonly maxDays?: number
  readonly onChange: (value: Chosen) => void
}

function Choice({ initial, maxDays, onChange }: ChoiceProps) {
  const [value, setValue] = useState(initial)
  const change = (next: Chosen) => {
    onChange(next)
    setValue(next)
  }
  return <RangeChoice quick={quick} value={value} onChange={change} maxDays={maxDays} />
}

async function draw(initial: Chosen, maxDays?: number) {
  const chosen: Chosen[] = []
  const view = await renderConsole(
    <Choice initial={initial} maxDays={maxDays} onChange={(value) => chosen.push(value)} />,
  )
  return { ...view, chosen }
}

async function openDialog(initial: Chosen, maxDays?: number) {
  const view = await draw(initial, maxDays)
  await view.user.click(screen.getByRole('button', { name: /^Time range/ }))
  await view.user.click(await screen.findByRole('menuitem', { name: 'Custom range…' }))
  const from = await screen.findByRole<HTMLInputElement>('textbox', { name: 'From' })
  const to = screen.getByRole<HTMLInputElement>('textbox', { name: 'Until' })
  const type = async (field: HTMLInputElement, text: string) => {
    await view.user.clear(field)
    if (text) await view.user.type(field, text)
  }
  const apply = screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' })
  return { ...view, from, to, apply, type }
}

const range = (from: string, to: string): TimeRange => ({ from: readTime(from), to: readTime(to) })

test('a quick range is one choice in the menu', async () => {
  const { user, chosen } = await draw('day')
  await user.click(screen.getByRole('button', { name: 'Time range: Last 24 hours' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Last 7 days' }))
  expect(chosen).toEqual(['week'])
  expect(screen.getByRole('button', { name: 'Time range: Last 7 days' })).toBeTruthy()
})

test('a custom range keeps its seconds', async () => {
  const chosenRange = range('2026-03-01 10:00:01', '2026-03-02 11:00:02')
  const { user, apply, chosen } = await openDialog(chosenRange)
  await user.click(apply)
  expect(chosen).toEqual([chosenRange])
  await untilGone(() => screen.queryByRole('dialog'))
})

test('a range can be typed with the keyboard alone', async () => {
  const { user, from, type, chosen } = await openDialog('day')
  await type(from, '2026-03-01 7:05')
  await user.tab()
  expect(from.value).toBe('2026-03-01 07:05')
  await user.keyboard('2026-03-02{Enter}')
  expect(chosen).toEqual([range('2026-03-01 07:05', '2026-03-02 23:59:59')])
})

test('two days picked in the calendar are whole days', async () => {
  const { user, from, to, apply, chosen } = await openDialog(range('2026-03-10', '2026-03-10 23:59:59'))
  await user.click(screen.getByRole('button', { name: '2 March 2026' }))
  await user.click(screen.getByRole('button', { name: '5 March 2026' }))
  expect([from.value, to.value]).toEqual(['2026-03-02 00:00', '2026-03-05 23:59:59'])
  await user.click(apply)
  expect(chosen).toEqual([range('2026-03-02', '2026-03-05 23:59:59')])
})

test('a range without an end continues until now', async () => {
  const { user, apply, chosen } = await openDialog(range('2026-03-01 10:00', ''))
  await user.click(apply)
  expect(chosen).toEqual([{ from: readTime('2026-03-01 10:00'), to: undefined }])
})

test('a range without a start begins with the first entry', async () => {
  const { user, from, to, type, apply, chosen } = await openDialog('day')
  await type(from, '')
  await type(to, '2026-03-02 11:00')
  await user.click(apply)
  expect(chosen).toEqual([{ from: undefined, to: readTime('2026-03-02 11:00') }])
})

test('a range without either end cannot be applied', async () => {
  const { from, to, type, apply } = await openDialog('day')
  await type(from, '')
  await type(to, '')
  expect(apply.disabled).toBe(true)
})

test('a range without an end that begins in the future is refused', async () => {
  const { from, type, apply } = await openDialog('day')
  await type(from, '9999-01-01')
  expect(screen.getByText('The end is before the start')).toBeTruthy()
  expect(apply.disabled).toBe(true)
})

test.each([
  ['2026-03-02 10:00', '2026-03-01 10:00', 'The end is before the start'],
  ['2026-03-02', 'tomorrow', 'Use the format 2026-11-21 07:00'],
  ['2026-02-30', '', 'Use the format 2026-11-21 07:00'],
  ['2026-03-01', '2026-03-08', 'At most 7 days'],
])('a range from %j until %j cannot be applied: %s', async (start, end, fault) => {
  const { from, to, type, apply } = await openDialog('day', 7)
  await type(from, start)
  await type(to, end)
  expect(screen.getByText(fault)).toBeTruthy()
  expect(apply.disabled).toBe(true)
})

test('a call with a longest range requires a start', async () => {
  const { from, type, apply } = await openDialog('day', 7)
  await type(from, '')
  expect(apply.disabled).toBe(true)
})
