import { expect, test } from 'bun:test'
import { fireEvent, screen } from '@testing-library/react'
import type { taskRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { mediaAddress } from './media-address'
import { TaskResults } from './task-results'

const aResult = (fields: Partial<taskRoutes.TaskResult> = {}): taskRoutes.TaskResult => ({
  kind: 'image',
  url: '/api/task/result/draw-1/image/0',
  title: '',
  text: '',
  ...fields,
})

test.each([
  ['/api/task/result/1/image/0', '/api/task/result/1/image/0'],
  ['https://cdn.example/a.png', 'https://cdn.example/a.png'],
  ['//evil.example/a.png', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,hi', undefined],
  ['', undefined],
])('a browser may load %p as %p', (url, address) => {
  expect(mediaAddress(url)).toBe(address)
})

test('results without a title are numbered by their kind', async () => {
  await renderConsole(<TaskResults results={[aResult(), aResult({ title: 'Kite' }), aResult()]} />)
  const images = screen.getAllByRole('img')
  expect(images.map((image) => image.getAttribute('alt'))).toEqual(['Image 1', 'Kite', 'Image 3'])
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('rel'))).toEqual(
    images.map(() => 'noreferrer noopener'),
  )
})

test('sound and film load when they are played', async () => {
  const film = aResult({ kind: 'video', url: '/film.mp4' })
  await renderConsole(<TaskResults results={[aResult({ kind: 'audio', url: '/song.mp3', title: 'Song' }), film]} />)
  for (const [name, tag, address] of [
    ['Song', 'AUDIO', '/song.mp3'],
    ['Video 2', 'VIDEO', '/film.mp4'],
  ] as const) {
    const player = screen.getByLabelText(name)
    expect([player.tagName, player.getAttribute('src'), player.getAttribute('preload')]).toEqual([tag, address, 'none'])
  }
})

test('a file that is gone says so, and the others stay', async () => {
  await renderConsole(<TaskResults results={[aResult(), aResult()]} />)
  const [first] = screen.getAllByRole('img')
  if (first) fireEvent.error(first)
  expect(screen.getByText('The file is no longer available')).toBeTruthy()
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['Image 2'])
})

test('an address that a browser may not load is not offered', async () => {
  await renderConsole(<TaskResults results={[aResult({ url: 'javascript:alert(1)', text: 'Lyrics' })]} />)
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByText('Lyrics')).toBeTruthy()
})
