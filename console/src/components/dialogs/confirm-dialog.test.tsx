import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { untilGone } from '../../../test/until-gone'
import { ConfirmButton } from './confirm-button'
import { DangerZone } from './danger-zone'

async function draw(typed?: string) {
  let confirmed = 0
  const view = await renderConsole(
    <DangerZone title="Close the account" hint="Tokens stop working at once.">
      <ConfirmButton
        title="Close the account?"
        question="This cannot be undone."
        confirmText="Close it"
        typed={typed}
        onConfirm={() => (confirmed += 1)}
      >
        {'Close…'}
      </ConfirmButton>
    </DangerZone>,
  )
  await view.user.click(screen.getByRole('button', { name: 'Close…' }))
  await screen.findByRole('dialog', { name: 'Close the account?' })
  return { ...view, confirmed: () => confirmed, confirm: screen.getByRole('button', { name: 'Close it' }) }
}

test('an irreversible action is confirmed once', async () => {
  const { user, confirm, confirmed } = await draw()
  await user.click(confirm)
  expect(confirmed()).toBe(1)
  await untilGone(() => screen.queryByRole('dialog'))
})

test('only the exact name confirms where it must be typed', async () => {
  const { user, confirm, confirmed } = await draw('mei')
  const field = screen.getByRole('textbox', { name: 'Type “mei” to confirm' })
  await user.type(field, 'me{Enter}')
  expect(confirm).toHaveProperty('disabled', true)
  expect(confirmed()).toBe(0)
  await user.type(field, 'i{Enter}')
  expect(confirmed()).toBe(1)
})
