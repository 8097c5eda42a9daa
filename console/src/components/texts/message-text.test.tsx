import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { MessageText } from './message-text'

// The removal of HTML is tested in a browser: the DOM stand-in iterates a changing tree in another order.
test('a Markdown message is rendered, and HTML in it stays text', async () => {
  const { container } = await renderConsole(
    <MessageText text={'**Hello** <img src=x onerror="x()"> ![cat](https://pictures.example/cat)'} format="markdown" />,
  )
  expect((await screen.findByText('Hello')).tagName).toBe('STRONG')
  expect(screen.getByRole('link', { name: 'Picture: cat (open pictures.example)' })).toBeTruthy()
  expect(container.querySelector('img')).toBeNull()
})
