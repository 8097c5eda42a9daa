import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../test/render'
import { AuthCard } from './auth-card'

test('other ways to sign in are listed below the form after an "or"', async () => {
  await renderConsole(
    <AuthCard title="Sign in" providers={<button type="button">{'GitHub'}</button>} footer={'No account yet?'}>
      <form aria-label="By password" />
    </AuthCard>,
  )
  const order = [screen.getByRole('form'), screen.getByText('or'), screen.getByRole('button', { name: 'GitHub' })]
  const places = order.map((part) => [...document.querySelectorAll('*')].indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  screen.getByText('No account yet?')
  expect(document.title).toBe('Sign in · Tollgate')
})

test('a form without other ways to sign in has no "or"', async () => {
  await renderConsole(<AuthCard title="Sign in">{'form'}</AuthCard>)
  expect(screen.queryByText('or')).toBeNull()
})
