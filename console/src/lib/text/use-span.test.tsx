import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { useSpan } from './use-span'

function Spans() {
  const span = useSpan()
  return <p>{[30, 300, 7200, 172_800].map(span).join(', ')}</p>
}

test('a duration is in the largest unit that it fills', async () => {
  await renderConsole(<Spans />)
  expect(screen.getByText('30 seconds, 5 minutes, 2 hours, 2 days')).toBeTruthy()
})

test('a Chinese duration has a space between its figure and its unit', async () => {
  await renderConsole(<Spans />, { language: 'zh' })
  expect(screen.getByText('30 秒钟, 5 分钟, 2 小时, 2 天')).toBeTruthy()
})
