import { expect, spyOn, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../test/render'
import { CopyButton } from './copy-button'

test('the text is shown selected where the browser refuses to copy', async () => {
  const { user } = await renderConsole(<CopyButton text="sk-secret" label="Copy the key" />)
  const refused = spyOn(navigator.clipboard, 'writeText').mockImplementation(() => Promise.reject(new Error('no')))
  await user.click(screen.getByRole('button', { name: 'Copy the key' }))
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Copy manually' })
  expect(field.value).toBe('sk-secret')
  expect(field.readOnly).toBe(true)
  refused.mockRestore()
})

test('a copied text is announced', async () => {
  const { user } = await renderConsole(<CopyButton text="sk-secret" label="Copy the key" />)
  await user.click(screen.getByRole('button', { name: 'Copy the key' }))
  expect(await screen.findByText('Copied')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('sk-secret')
})
