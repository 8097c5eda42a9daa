import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../test/render'
import { FilterBar } from './filter-bar'

type Values = Partial<Record<'name' | 'group', string>>

const longerThanTyping = 1_000
const changes: Values[] = []

beforeEach(() => {
  changes.length = 0
})
afterEach(() => {
  jest.useRealTimers()
})

/** Feeds changes back as values, as a page does. */
function Bar({ initial }: { readonly initial: Values }) {
  const [values, setValues] = useState(initial)
  const filters = (['name', 'group'] as const).map((name) => ({ name, kind: 'text', label: name }) as const)
  const onChange = (change: Values) => {
    changes.push(change)
    setValues({ ...values, ...change })
  }
  return <FilterBar filters={filters} values={values} onChange={onChange} />
}

async function draw(initial: Values = {}) {
  await renderConsole(<Bar initial={initial} />)
  jest.useFakeTimers()
  return screen.getByRole<HTMLInputElement>('textbox', { name: 'name' })
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const wait = (ms: number) => act(() => void jest.advanceTimersByTime(ms))
const clear = () => fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))

test('typing is reported once, after a pause', async () => {
  const field = await draw()
  type(field, 's')
  type(field, 'sh')
  expect(changes).toEqual([])
  wait(longerThanTyping)
  expect(changes).toEqual([{ name: 'sh' }])
})

test('Enter reports at once, and nothing is reported after it', async () => {
  const field = await draw()
  type(field, 'shop')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(changes).toEqual([{ name: 'shop' }])
  wait(longerThanTyping)
  expect(changes).toHaveLength(1)
})

test('a filter cleared right after Enter stays cleared', async () => {
  const field = await draw()
  type(field, 'shop')
  fireEvent.keyDown(field, { key: 'Enter' })
  clear()
  wait(longerThanTyping)
  expect(changes.at(-1)).toEqual({ name: undefined, group: undefined })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'name' }).value).toBe('')
})

test('typed text that was not reported yet is cleared too', async () => {
  const field = await draw({ group: 'vip' })
  type(field, 'shop')
  clear()
  wait(longerThanTyping)
  expect(changes).toEqual([{ name: undefined, group: undefined }])
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'name' }).value).toBe('')
})
