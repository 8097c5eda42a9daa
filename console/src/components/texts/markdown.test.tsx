import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Markdown } from './markdown'
import { limitMarkdown } from './limit-markdown'

test.each([
  ['quotes', `${'>'.repeat(20_000)} the end`],
  ['quotes with spaces', `${'> '.repeat(20_000)}the end`],
  ['lists on a line', `${'- '.repeat(5_000)}the end`],
  ['numbers on a line', `${'1. '.repeat(5_000)}the end`],
  ['lists by indent', `${Array.from({ length: 150 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')}\n\nthe end`],
  ['brackets', `${'['.repeat(20_000)}\n\nthe end`],
  ['a text without end', `${'x'.repeat(500_000)} the end`],
])(
  '%s nested excessively still render',
  async (_, text) => {
    await renderConsole(<Markdown text={text} />)
    expect(await screen.findByText(/the end/, {}, { timeout: 20_000 })).toBeTruthy()
  },
  30_000,
)

test.each([
  ['a quote in a quote', '> > quoted twice'],
  ['lists in lists', '- one\n  - two\n    - three\n'],
  ['rules', `---\n\n* * *\n\n${'-'.repeat(400)}\n${'='.repeat(400)}`],
  ['a table', `|a|b|\n|${'-'.repeat(80)}|-|\n`],
  ['code far to the right', `${' '.repeat(80)}code`],
])('%s stays as it is', (_, text) => {
  expect(limitMarkdown(text)).toBe(text)
})

test('script addresses are dropped', async () => {
  await renderConsole(
    <Markdown
      text={
        '[run](javascript:alert(1)) ![x](javascript:alert(1)) ![p](data:image/png;base64,AA==) [ok](https://a.example)'
      }
    />,
  )
  await screen.findByRole('link', { name: 'ok' })
  const addresses = [...document.body.querySelectorAll('[href], [src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src'),
  )
  expect(addresses).toEqual(['data:image/png;base64,AA==', 'https://a.example'])
})

test('an image of another site is a link, and loads only in an operator’s text', async () => {
  const text =
    '![a cat](https://pictures.example/cat?talk=secret) ![](/api/user/logout) ![p](data:image/png;base64,AA==)'
  const { unmount } = await renderConsole(<Markdown text={text} />)
  const link = await screen.findByRole('link', { name: 'Picture: a cat (open pictures.example)' })
  expect(link.getAttribute('rel')).toBe('noreferrer noopener')
  expect([...document.querySelectorAll('img')].map((img) => img.getAttribute('src'))).toEqual([
    'data:image/png;base64,AA==',
  ])
  unmount()
  await renderConsole(<Markdown text={text} hasRemoteImages />)
  expect((await screen.findByAltText('a cat')).getAttribute('src')).toBe('https://pictures.example/cat?talk=secret')
})
