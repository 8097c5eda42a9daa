import { expect, test } from 'bun:test'
import { fireEvent, screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { HeatMap } from './heat-map'
import { TimeChart } from './time-chart'

/** Without layout every chart starts at the corner of the page. */
const press = (pointerType: string, clientX: number, clientY = 10) => {
  const image = screen.getByRole('group')
  fireEvent.pointerDown(image, { pointerType, clientX, clientY })
  fireEvent.pointerMove(image, { pointerType, clientX, clientY })
  fireEvent.pointerUp(image, { pointerType, clientX, clientY })
  fireEvent.pointerLeave(image, { pointerType })
}

async function drawChart() {
  const picked: number[] = []
  const series = [{ name: 'gpt-4o', values: [7] }]
  await renderConsole(
    <TimeChart
      label="Spend"
      kind="bars"
      times={['09:00']}
      series={series}
      height={100}
      format={String}
      onPick={(index) => picked.push(index)}
    />,
  )
  return picked
}

async function drawMap() {
  const picked: string[] = []
  await renderConsole(
    <HeatMap
      label="Health"
      times={['09:00', '10:00']}
      rows={[{ key: 1, name: 'Dublin', levels: ['good', 'bad'] }]}
      describe={(row, time) => `cell ${row} ${time}`}
      onPick={(row, time) => picked.push(`${row} ${time}`)}
    />,
  )
  return picked
}

test('a click on a time of a chart picks it at once', async () => {
  const picked = await drawChart()
  press('mouse', 64.5)
  expect(picked).toEqual([0])
})

test('the first tap on a time shows its values, the second picks it', async () => {
  const picked = await drawChart()
  press('touch', 64.5)
  expect(picked).toEqual([])
  expect(screen.getByRole('status').textContent).toContain('7')
  press('touch', 64.5)
  expect(picked).toEqual([0])
})

test('a click on a cell of a heat map picks it; a tap describes it first', async () => {
  const picked = await drawMap()
  press('mouse', 9)
  expect(picked).toEqual(['0 1'])
  press('touch', 2)
  expect(picked).toEqual(['0 1'])
  expect(screen.getByRole('status').textContent).toBe('cell 0 0')
  press('touch', 2)
  expect(picked).toEqual(['0 1', '0 0'])
})
