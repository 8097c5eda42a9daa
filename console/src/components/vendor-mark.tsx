import { vendorMarks } from './vendor-marks'
import classes from './vendor-mark.module.css'

interface VendorMarkProps {
  /** Of a channel type or of a maker of models; unknown ones get the first letter of `name`. */
  readonly id: string
  readonly name?: string
  readonly size?: 'small' | 'large'
}

/** A vendor's tile: two letters, as in the table of elements. It stands beside the vendor's name and is silent itself. */
export function VendorMark({ id, name = id, size = 'small' }: VendorMarkProps) {
  const [letters, color] = vendorMarks[id] ?? initialOf(name)
  // Not as text: copied rows and found words are those of the name alone.
  return <span className={classes.mark} data-letters={letters} data-color={color} data-size={size} aria-hidden />
}

const initialOf = (name: string): readonly [letters: string, color: undefined] => [
  (name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase(),
  undefined,
]
