import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { StatCard, StatFact } from './stat-card'
import { StatLine } from './stat-line'

test('a card shows its figure and links to the rows that it counts', async () => {
  const link = { to: '/app/logs/api-usage', search: { type: 5 } } as const
  await renderConsole(<StatCard name="Errors" value="12" note="of 40" part={0.25} link={link} />)
  const card = screen.getByRole('link')
  expect(card.textContent).toBe('Errors12of 40')
  expect(card.getAttribute('href')).toMatch(/^\/app\/logs\/api-usage\?type=5$/)
  expect([...card.querySelectorAll<HTMLElement>('[style]')].map(({ style }) => style.width)).toContain('25%')
})

test('a card without a figure yet shows none', async () => {
  await renderConsole(<StatCard name="Errors" value={undefined} link={{ to: '/pricing' }} />)
  expect(screen.getByRole('link').textContent).toBe('Errors')
})

test.each([
  ['12', 'so far', 'Calls12so far'],
  ['0', null, 'Calls0'],
  [null, undefined, 'Calls–'],
  [undefined, 'so far', 'Calls–so far'],
])('a fact with the value %p and the note %p reads “%s”', async (value, note, text) => {
  await renderConsole(
    <main>
      <StatFact name="Calls" value={value} note={note} />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toBe(text)
})

test('sums that are not known yet are dashes', async () => {
  await renderConsole(
    <StatLine
      stats={[
        ['Calls', '12'],
        ['Cost', undefined],
      ]}
    />,
  )
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['12', '–'])
})
