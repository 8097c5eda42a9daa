import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { NumberCell } from './channel-columns'

async function open(onSave: (value: number) => Promise<void>, min = 0) {
  const requests: number[] = []
  const view = await renderConsole(
    <NumberCell
      label="Weight"
      value={5}
      min={min}
      onSave={(value) => {
        requests.push(value)
        return onSave(value)
      }}
    />,
  )
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Weight' })
  const type = async (text: string) => {
    await view.user.clear(field)
    await view.user.type(field, text)
  }
  return { ...view, requests, field, type }
}

const succeed = () => Promise.resolve()
const refuse = () => Promise.reject(new Error('refused'))

test('Enter and blur save', async () => {
  const page = await open(succeed)
  await page.type('7{Enter}')
  await page.type('8')
  fireEvent.blur(page.field)
  await waitFor(() => expect(page.requests).toEqual([7, 8]))
})

test('Escape reverts, and an unchanged number is not saved', async () => {
  const page = await open(succeed)
  await page.type('9{Escape}')
  expect(page.field.value).toBe('5')
  await page.type('5{Enter}')
  fireEvent.blur(page.field)
  expect(page.requests).toEqual([])
})

test('a refused number stays and is marked; blur does not resend it, Enter does', async () => {
  const page = await open(refuse)
  await page.type('7{Enter}')
  await waitFor(() => expect(page.field.getAttribute('aria-invalid')).toBe('true'))
  expect(page.field.value).toBe('7')
  fireEvent.blur(page.field)
  expect(page.requests).toEqual([7])
  await page.user.type(page.field, '{Enter}')
  await waitFor(() => expect(page.requests).toEqual([7, 7]))
  expect(page.field.value).toBe('7')
})

test('an invalid number, or one too low, is reported, kept and not sent', async () => {
  const page = await open(succeed)
  await page.type('-1{Enter}')
  expect(await screen.findByText('Enter a whole number, 0 or higher.')).toBeTruthy()
  expect(page.field.value).toBe('-1')
  await page.type('1.5{Enter}')
  expect(page.field.getAttribute('aria-invalid')).toBe('true')
  await page.type('{Escape}')
  expect(page.requests).toEqual([])
})

test('negative numbers are accepted where they are allowed', async () => {
  const page = await open(succeed, -999)
  await page.type('-999{Enter}')
  await waitFor(() => expect(page.requests).toEqual([-999]))
})
