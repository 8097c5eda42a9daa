import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { act, fireEvent, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'

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

let setShown: (values: Values) => void
/** Shows these values, as a page does when its address has changed. */
const show = (values: Values) => act(() => setShown(values))

/** Feeds changes back as values at once, or leaves that to the test. */
function Bar({ initial, isSlow }: { readonly initial: Values; readonly isSlow: boolean }) {
  const [values, setValues] = useState(initial)
  useEffect(() => {
    setShown = setValues
  }, [])
  const filters = (['name', 'group'] as const).map((name) => ({ name, kind: 'text', label: name }) as const)
  const onChange = (change: Values) => {
    changes.push(change)
    if (!isSlow) setValues({ ...values, ...change })
  }
  return <FilterBar filters={filters} values={values} onChange={onChange} />
}

async function draw(initial: Values = {}, isSlow = false) {
  await renderConsole(<Bar initial={initial} isSlow={isSlow} />)
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

test('text typed before the address follows an earlier part of it is kept', async () => {
  const field = await draw({}, true)
  type(field, 'sh')
  wait(longerThanTyping)
  type(field, 'shop')
  show({ name: 'sh' })
  expect(field.value).toBe('shop')
  wait(longerThanTyping)
  expect(changes).toEqual([{ name: 'sh' }, { name: 'shop' }])
  show({ name: 'shop' })
  show({ name: 'sh' })
  expect(field.value).toBe('sh')
})

test('a value from elsewhere replaces typed text, which is not reported after it', async () => {
  const field = await draw({ name: 'shop' })
  type(field, 'shops')
  show({})
  expect(field.value).toBe('')
  wait(longerThanTyping)
  expect(changes).toEqual([])
})
