import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { NotFoundPage } from './not-found-page'

test('an unknown page says so in the browser’s tab too', async () => {
  document.title = 'API tokens · Tollgate'
  await renderConsole(<NotFoundPage />)
  expect(await screen.findByText('This page does not exist')).toBeTruthy()
  expect(document.title).toBe('This page does not exist · Tollgate')
})
