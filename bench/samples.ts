import { meanOf } from './quantile'

/** The last samples lie so close together that nothing more is expected. */
const plateauSamples = 6
const plateauSpread = 0.02

/** Whether a figure that was sampled again and again has stopped to change. */
export function isPlateau(samples: readonly number[]): boolean {
  const last = samples.slice(-plateauSamples)
  const max = Math.max(...last)
  return last.length === plateauSamples && max - Math.min(...last) <= max * plateauSpread
}

/**
 * By which share the last quarter of the samples lies above the second: the first is warm-up, and a single sample says
 * little where a collector works. 0 of fewer than four.
 */
export function growthOf(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4)
  if (quarter === 0) return 0
  return meanOf(samples.slice(-quarter)) / meanOf(samples.slice(quarter, quarter * 2)) - 1
}

/** Least squares: by how much the figure changes in one of the samples' steps. */
export function slopeOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2
  const mean = meanOf(samples)
  const spread = samples.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return spread === 0 ? 0 : samples.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread
}
