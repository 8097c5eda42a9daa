import { area, curveMonotoneX, line } from 'd3-shape'

import { pathNumber } from './path-number'
import type { ChartSeries } from './series'

export type ChartKind = 'bars' | 'areas' | 'lines'

/** The plot area: pixels from the left and the top of the chart. */
export interface Plot {
  readonly width: number
  readonly height: number
  /** Width of one time's band. */
  readonly band: number
  /** Left edge of a time's band. */
  readonly x: (index: number) => number
  readonly y: (value: number) => number
  readonly ticks: readonly number[]
}

/** Room for the time labels below the plot, and for the first tick above it. */
export const margins = { left: 64, right: 8, top: 8, bottom: 24 } as const
/** Pixels between two grid lines; low charts have fewer of them. */
const tickPixels = 36
const maxTicks = 4
const labelPixels = 92

/** Returns the geometry of `count` times and values up to `max` in a chart of this size. */
export function plotOf(count: number, max: number, size: { readonly width: number; readonly height: number }): Plot {
  const width = Math.max(size.width - margins.left - margins.right, 1)
  const height = Math.max(size.height - margins.top - margins.bottom, 1)
  const band = width / Math.max(count, 1)
  const tickCount = Math.min(Math.max(Math.floor(height / tickPixels), 1), maxTicks)
  const ticks = niceTicks(max > 0 ? max : 1, tickCount)
  const top = ticks.at(-1) ?? 1
  return {
    width,
    height,
    band,
    x: (index) => margins.left + index * band,
    y: (value) => margins.top + height * (1 - value / top),
    ticks,
  }
}

/** Returns multiples of 1, 2 or 5 by a power of ten, from zero to the first that `max` does not exceed. */
function niceTicks(max: number, maxSteps: number): readonly number[] {
  const rough = max / maxSteps
  const power = Math.floor(Math.log10(rough))
  const factor = [1, 2, 5].find((factor) => factor * 10 ** power >= rough) ?? 10
  // Division keeps fractions exact: 3 / 10 is 0.3, 3 * 0.1 is not.
  const multiple = (index: number) => (power < 0 ? (index * factor) / 10 ** -power : index * factor * 10 ** power)
  const ticks = [0]
  while ((ticks.at(-1) ?? max) < max) ticks.push(multiple(ticks.length))
  return ticks
}

/** Returns the greatest value the chart must show: the greatest sum where series are stacked. */
export function maximumOf(series: readonly ChartSeries[], count: number, kind: ChartKind): number {
  let max = 0
  for (let index = 0; index < count; index += 1) {
    let sum = 0
    for (const { values } of series) {
      const value = values[index] ?? 0
      if (kind === 'lines') max = Math.max(max, value)
      else sum += value
    }
    max = Math.max(max, sum)
  }
  return max
}

/** Returns one path for each series, however many times there are. */
export function pathsOf(series: readonly ChartSeries[], count: number, kind: ChartKind, plot: Plot): readonly string[] {
  if (kind === 'lines') {
    const draw = line<number | null>(
      (_, index) => plot.x(index) + plot.band / 2,
      (value) => plot.y(value ?? 0),
    )
      // Straight: a curve would show values between two times that were never measured.
      .defined((value) => value !== null)
    return series.map(({ values }) => (draw(values.slice(0, count)) ?? '') + dotsPath(values.slice(0, count), plot))
  }
  const floors = new Float64Array(count)
  return series.map(({ values }) => {
    const layers = Array.from(floors, (floor, index): Layer => [floor, floor + (values[index] ?? 0)])
    for (const [index, [, top]] of layers.entries()) floors[index] = top
    return kind === 'areas' ? areaPath(layers, plot) : barsPath(layers, plot)
  })
}

const dotRadius = 2

/** Returns a dot for each value without neighbours, which a line would not show. */
const dotsPath = (values: readonly (number | null)[], plot: Plot): string =>
  values
    .map((value, index) => {
      const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
      if (value === null || !isAlone) return ''
      const [x, y] = [plot.x(index) + plot.band / 2 - dotRadius, plot.y(value)]
      const half = `a${dotRadius},${dotRadius} 0 1,0`
      return `M${pathNumber(x)},${pathNumber(y)}${half} ${dotRadius * 2},0${half} ${-dotRadius * 2},0`
    })
    .join('')

/** Value range of a series at one time. */
type Layer = readonly [floor: number, top: number]

const areaPath = (layers: Layer[], plot: Plot): string =>
  area<Layer>(
    (_, index) => plot.x(index) + plot.band / 2,
    ([floor]) => plot.y(floor),
    ([, top]) => plot.y(top),
  ).curve(curveMonotoneX)(layers) ?? ''

const widestBar = 42

function barsPath(layers: readonly Layer[], plot: Plot): string {
  const width = Math.min(Math.max(plot.band * 0.78, Math.min(plot.band, 1)), widestBar)
  const inset = (plot.band - width) / 2
  return layers
    .map(([floor, top], index) => {
      if (top <= floor) return ''
      const [y, bottom] = [plot.y(top), plot.y(floor)]
      return `M${pathNumber(plot.x(index) + inset)},${pathNumber(y)}h${pathNumber(width)}V${pathNumber(bottom)}h${pathNumber(-width)}z`
    })
    .join('')
}

/** Returns the times that get a label, evenly spaced so that the labels do not touch. */
export function labelTicks(count: number, plot: Plot): readonly number[] {
  const stride = Math.max(1, Math.ceil(labelPixels / plot.band))
  return Array.from({ length: Math.ceil(count / stride) }, (_, index) => index * stride)
}

const digitPixels = 7

/** Returns the position of a time's label: below its middle, but not beyond the edge. */
export function labelPlace(index: number, label: string, plot: Plot) {
  const middle = plot.x(index) + plot.band / 2
  const edge = margins.left + plot.width + margins.right
  return middle + (label.length * digitPixels) / 2 > edge
    ? ({ x: edge, textAnchor: 'end' } as const)
    : ({ x: middle, textAnchor: 'middle' } as const)
}

/** Returns the time at a horizontal position, or null outside the plot. */
export function timeAt(x: number, count: number, plot: Plot): number | null {
  const index = Math.floor((x - margins.left) / plot.band)
  return index >= 0 && index < count ? index : null
}
