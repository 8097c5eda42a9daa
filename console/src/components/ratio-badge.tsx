import { Badge } from '@mantine/core'

import { formatDecimal } from '../lib/text/format'

/** Returns the specification's colour of a ratio. */
export function ratioColor(ratio: number): 'red' | 'orange' | 'blue' | 'green' {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}

/** A group's ratio, as ×1.5. */
export function RatioBadge({ ratio }: { readonly ratio: number }) {
  return (
    <Badge color={ratioColor(ratio)} className="figures" style={{ flex: 'none' }}>
      {`×${formatDecimal(ratio)}`}
    </Badge>
  )
}
