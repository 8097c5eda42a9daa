import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { tokenRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import { RotateDialog } from './rotate-dialog'

const token = aToken({ name: 'shop' })

async function openDialog(respond: () => unknown) {
  const calls = serve({ 'POST /api/token/7/rotate': respond })
  const rotated: tokenRoutes.TokenEntity[] = []
  const view = await renderConsole(
    <RotateDialog token={token} onRotated={(token) => rotated.push(token)} onClose={() => {}} />,
  )
  await screen.findByRole('dialog', { name: 'Rotate the key of “shop”' })
  const getRequestBodies = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { ...view, rotated, getRequestBodies }
}

test('the old key stops at once by default', async () => {
  const { user, rotated, getRequestBodies } = await openDialog(() => aToken({ key: 'new' }))
  expect(screen.getByRole('radio', { name: 'Stops working immediately' })).toHaveProperty('checked', true)
  await user.click(screen.getByRole('button', { name: 'Rotate key' }))
  await waitFor(() => expect(rotated).toMatchObject([{ key: 'new' }]))
  expect(getRequestBodies()).toEqual([{ grace_seconds: 0 }])
})

test('the old key can be kept for a day', async () => {
  const { user, rotated, getRequestBodies } = await openDialog(() => aToken())
  await user.click(screen.getByRole('radio', { name: 'Works for 1 more day' }))
  await user.click(screen.getByRole('button', { name: 'Rotate key' }))
  await waitFor(() => expect(rotated.length).toBe(1))
  expect(getRequestBodies()).toEqual([{ grace_seconds: 86_400 }])
})

test('a refusal is shown and the dialog stays open', async () => {
  const { user, rotated } = await openDialog(() => new Refusal('token.none', 'There is no such token'))
  await user.click(screen.getByRole('button', { name: 'Rotate key' }))
  expect(await screen.findByText('There is no such token')).toBeTruthy()
  expect(screen.getByRole('dialog')).toBeTruthy()
  expect(rotated).toEqual([])
})
