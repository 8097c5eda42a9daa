/** The value below which the given share of the sorted values lies; 0 of none. */
export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const medianOf = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5)
