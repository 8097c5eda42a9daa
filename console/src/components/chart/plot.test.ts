import { expect, test } from 'bun:test'

import { labelTicks, labelPlace, margins, maximumOf, pathsOf, plotOf, timeAt } from './plot'
import { readingsAt, seriesColors } from './series'

const size = { width: 772, height: 232 }
const series = [
  { name: 'gpt-4o', values: [1, 0, 3] },
  { name: 'o3-mini', values: [2, 0, 5] },
]

test('the maximum of stacked bars is the sum of their series, that of lines the greatest value', () => {
  expect(maximumOf(series, 3, 'bars')).toBe(8)
  expect(maximumOf(series, 3, 'areas')).toBe(8)
  expect(maximumOf(series, 3, 'lines')).toBe(5)
})

test('a plot spans the picture between its margins and starts at zero', () => {
  const plot = plotOf(3, 8, size)
  expect(plot.x(0)).toBe(margins.left)
  expect(plot.x(3)).toBe(size.width - margins.right)
  expect(plot.y(0)).toBe(size.height - margins.bottom)
  expect(plot.ticks[0]).toBe(0)
  expect(plot.ticks.at(-1)).toBeGreaterThanOrEqual(8)
})

test.each([
  [8, [0, 2, 4, 6, 8]],
  [0.9, [0, 0.5, 1]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  [0.00042, [0, 0.0002, 0.0004, 0.0006]],
])('ticks up to %p are round', (max, ticks) => {
  expect(plotOf(2, max, size).ticks).toEqual(ticks)
})

test('all-zero values still give a plot with ticks', () => {
  expect(plotOf(2, 0, size).ticks.length).toBeGreaterThan(1)
})

test('bars of one series are one path without segments for empty times', () => {
  const [lower = '', upper = ''] = pathsOf(series, 3, 'bars', plotOf(3, 8, size))
  expect(lower.match(/M/g)).toHaveLength(2)
  expect(upper.match(/M/g)).toHaveLength(2)
})

test('2,160 times of eight series are eight paths', () => {
  const many = Array.from({ length: 8 }, (_, part) => ({
    name: `model ${part}`,
    values: Array.from({ length: 2160 }, (_, hour) => (hour * (part + 1)) % 17),
  }))
  const paths = pathsOf(many, 2160, 'bars', plotOf(2160, maximumOf(many, 2160, 'bars'), size))
  expect(paths).toHaveLength(8)
  expect(labelTicks(2160, plotOf(2160, 1, size)).length).toBeLessThanOrEqual(9)
})

test('labels are placed below their times, the last within the chart', () => {
  const plot = plotOf(100, 1, size)
  expect(labelPlace(50, '11-20 12:00', plot)).toEqual({ x: margins.left + 50.5 * plot.band, textAnchor: 'middle' })
  expect(labelPlace(99, '11-22 13:00', plot)).toEqual({ x: size.width, textAnchor: 'end' })
})

test('a position maps to its time, and to none outside the plot', () => {
  const plot = plotOf(4, 1, size)
  expect(timeAt(margins.left + 1, 4, plot)).toBe(0)
  expect(timeAt(size.width - margins.right - 1, 4, plot)).toBe(3)
  expect(timeAt(margins.left - 1, 4, plot)).toBeNull()
  expect(timeAt(size.width + 5, 4, plot)).toBeNull()
})

test('a name keeps its colour when its rank changes', () => {
  const colors = seriesColors(series)
  expect(seriesColors(series.toReversed())).toEqual(colors.toReversed())
})

test('a name keeps its colour when other names come and go; a new one takes a free colour', () => {
  const known = new Map<string, number>()
  const colorsOf = (...names: string[]) =>
    Object.fromEntries(
      seriesColors(
        names.map((name) => ({ name, values: [] })),
        known,
      ).map((color, index) => [names[index], color]),
    )
  const few = colorsOf('gpt-4.1', 'o3-mini', 'gpt-4o')
  const many = colorsOf('a-new-one', 'claude', 'gpt-4o', 'gpt-4.1', 'gemini', 'o3-mini')
  expect(many).toMatchObject(few)
  expect(new Set(Object.values(many)).size).toBe(6)
  expect(colorsOf('o3-mini', 'gpt-4.1')).toEqual({ 'o3-mini': few['o3-mini'], 'gpt-4.1': few['gpt-4.1'] })
})

test('a single series has the first colour, and keeps it among others', () => {
  const known = new Map<string, number>()
  expect(seriesColors([{ name: 'alone', values: [] }], known)).toEqual(['var(--chart-1)'])
  const both = seriesColors(
    ['a-new-one', 'alone'].map((name) => ({ name, values: [] })),
    known,
  )
  expect(both[1]).toBe('var(--chart-1)')
})

test('a line has gaps where there is no value, and a dot for an isolated value', () => {
  const plot = plotOf(6, 10, size)
  const [path] = pathsOf([{ name: 'p50', values: [1, 2, null, 4, null, null] }], 6, 'lines', plot)
  expect(path?.match(/M/g)).toHaveLength(3)
  expect(path?.match(/a2,2/g)).toHaveLength(2)
  // Straight between two values, never a curve.
  expect(path).not.toContain('C')
})

test('up to eight names of a chart get different colours', () => {
  const names = Array.from({ length: 8 }, (_, part) => ({ name: `model ${part}`, values: [] }))
  expect(new Set(seriesColors(names)).size).toBe(8)
})

test('the rest and series with a fixed meaning keep their colour', () => {
  expect(
    seriesColors([
      { name: 'others', values: [], isRest: true },
      { name: 'errors', values: [], color: 'var(--bad)' },
    ]),
  ).toEqual(['var(--chart-rest)', 'var(--bad)'])
})

test('readings leave out zeros and list the largest first', () => {
  const { total, rows } = readingsAt([...series, { name: 'idle', values: [0, 0, 0] }], 2)
  expect(total).toBe(8)
  expect(rows.map(({ name }) => name)).toEqual(['o3-mini', 'gpt-4o'])
})
