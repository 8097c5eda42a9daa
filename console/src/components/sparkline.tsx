interface SparklineProps {
  readonly values: readonly number[]
}

const width = 120
const height = 26

/** A small line without numbers. */
export function Sparkline({ values }: SparklineProps) {
  const points = sparklinePoints(values)
  if (!points) return null
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      aria-hidden
      style={{ display: 'block' }}
    >
      <polyline
        points={points}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/** Returns "0,25 60,1 120,13": from left to right, the greatest value at the top; undefined for fewer than two values. */
export function sparklinePoints(values: readonly number[]): string | undefined {
  if (values.length < 2) return undefined
  const top = Math.max(...values, 1e-9)
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * width
      const y = height - 1 - (Math.max(0, value) / top) * (height - 2)
      return `${round(x)},${round(y)}`
    })
    .join(' ')
}

const round = (value: number) => Math.round(value * 10) / 10
