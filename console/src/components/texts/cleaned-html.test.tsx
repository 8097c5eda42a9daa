import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { CleanedHtml } from './cleaned-html'

// The cleaner works in part on the simulated document: forms, and what it keeps, are asserted in a browser.
test.each([
  ['a script', '<script>alert(1)</script>Hi', 'script'],
  ['a handler', '<img src="/logo.png" onerror="alert(1)">Hi', '[onerror]'],
  ['an address with a script', '<a href="javascript:alert(1)">Hi</a>', '[href^="javascript:"]'],
  ['a style sheet', '<style>body { display: none }</style>Hi', 'style'],
  ['a frame', '<iframe src="https://evil.example"></iframe>Hi', 'iframe'],
  ['an id of the console', '<p id="root">Hi</p>', '[id]'],
])('%s of an operator’s text is removed, and the text stays', async (_, html, selector) => {
  await renderConsole(
    <main>
      <CleanedHtml html={html} />
    </main>,
  )
  const main = screen.getByRole('main')
  expect(main.textContent).toContain('Hi')
  expect(main.querySelectorAll(selector)).toHaveLength(0)
})
