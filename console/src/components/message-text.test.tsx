import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../test/render'
import { MessageText } from './message-text'

// What is left out of HTML is tried in a browser: the stand-in for one walks through a changing page in another order.
test('a message in Markdown is drawn, and HTML in it is words', async () => {
  const { container } = await renderConsole(
    <MessageText text={'**Hello** <img src=x onerror="x()"> ![cat](https://pictures.example/cat)'} format="markdown" />,
  )
  expect((await screen.findByText('Hello')).tagName).toBe('STRONG')
  expect(screen.getByRole('link', { name: 'Picture: cat (open pictures.example)' })).toBeTruthy()
  expect(container.querySelector('img')).toBeNull()
})
