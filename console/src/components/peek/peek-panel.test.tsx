import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { narrowWindow } from '../../../test/narrow-window'
import { renderConsole } from '../../../test/render'
import { CopyButton } from '../copy-button'
import { PeekPanel } from './peek-panel'

test('a panel over its list focuses its close button first, whatever its title contains', async () => {
  using _narrow = narrowWindow(1199)
  let steps = 0
  let closings = 0
  const { user } = await renderConsole(
    <PeekPanel
      title={
        <>
          {'gpt-4o'}
          <CopyButton text="gpt-4o" label="Copy the model name" />
        </>
      }
      onNext={() => (steps += 1)}
      onClose={() => (closings += 1)}
    >
      {'128,000 tokens'}
    </PeekPanel>,
  )
  await screen.findByRole('dialog')
  const close = screen.getByRole('button', { name: 'Close' })
  await waitFor(() => expect(document.activeElement).toBe(close))
  expect(screen.queryByRole('tooltip')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Next row' }))
  expect([steps, closings]).toEqual([1, 0])
  await user.keyboard('{Escape}')
  expect(closings).toBe(1)
})
