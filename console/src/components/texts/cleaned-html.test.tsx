import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { CleanedHtml, keepTextStyles } from './cleaned-html'

// The cleaner works in part on the simulated document: forms, and what it keeps, are asserted in a browser.
test.each([
  ['a script', '<script>alert(1)</script>Hi', 'script'],
  ['a handler', '<img src="/logo.png" onerror="alert(1)">Hi', '[onerror]'],
  ['an address with a script', '<a href="javascript:alert(1)">Hi</a>', '[href^="javascript:"]'],
  ['a style sheet', '<style>body { display: none }</style>Hi', 'style'],
  ['a frame', '<iframe src="https://evil.example"></iframe>Hi', 'iframe'],
  ['an id of the console', '<p id="root">Hi</p>', '[id]'],
  ['a class of the console', '<p class="mantine-Overlay-root">Hi</p>', '[class]:not([class*="box"])'],
  ['a dialog', '<dialog open>Hi</dialog>', 'dialog'],
  ['a popover', '<p popover="manual">Hi</p>', '[popover]'],
  ['a style that places it over the page', '<a style="position:fixed;inset:0;z-index:9">Hi</a>', '[style]'],
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

test('styles of an operator’s text stay, without those that would move it', () => {
  const text = document.createElement('p')
  text.setAttribute(
    'style',
    'color: red; transform: scale(9); margin-top: 4px; width: 100vw; margin-left: -9px; z-index: 3; top: -50px',
  )
  keepTextStyles(text)
  const style = text.getAttribute('style') ?? ''
  expect(style).toContain('color: red')
  expect(style).toContain('margin-top: 4px')
  for (const gone of ['transform', 'z-index', 'width', 'margin-left', 'top: -50px']) expect(style).not.toContain(gone)
})

test('an operator’s text stands in a box of its own, which places, stacks and cuts what is in it', async () => {
  const sheet = await Bun.file(new URL('./cleaned-html.module.css', import.meta.url)).text()
  for (const rule of ['position: relative', 'isolation: isolate', 'contain: layout paint'])
    expect(sheet).toContain(rule)
})
