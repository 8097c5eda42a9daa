import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { FormDrawer } from './form-drawer'

async function open(isDirty: boolean) {
  const did: string[] = []
  const view = await renderConsole(
    <FormDrawer isOpen title="Edit" isDirty={isDirty} onSave={() => did.push('save')} onClose={() => did.push('close')}>
      <input aria-label="Name" />
    </FormDrawer>,
  )
  await screen.findByRole('dialog', { name: 'Edit' })
  return { ...view, did }
}

test('Enter in a field saves', async () => {
  const { user, did } = await open(false)
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'x{Enter}')
  expect(did).toEqual(['save'])
})

test('an unchanged form closes at once', async () => {
  const { user, did } = await open(false)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(did).toEqual(['close'])
})

test.each(['Cancel', 'Close', 'Escape'])('a changed form asks first: %s', async (closeMethod) => {
  const { user, did } = await open(true)
  const leave = () =>
    closeMethod === 'Escape' ? user.keyboard('{Escape}') : user.click(screen.getByRole('button', { name: closeMethod }))
  await user.click(screen.getByRole('textbox', { name: 'Name' }))
  await leave()
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(did).toEqual([])
  await leave()
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(did).toEqual(['close'])
})

test('leaving the page with changes triggers a warning', async () => {
  const { unmount } = await open(true)
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(leave()).toBe(true)
  unmount()
  expect(leave()).toBe(false)
})
