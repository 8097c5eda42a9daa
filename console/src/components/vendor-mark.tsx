import { vendorMarks } from './vendor-marks'
import classes from './vendor-mark.module.css'

interface VendorMarkProps {
  /** Id of a channel type or a model maker; unknown ones get the first letter of `name`. */
  readonly id: string
  readonly name?: string
  readonly size?: 'small' | 'large'
}

/** A vendor's tile of two letters, like an element symbol. Hidden from screen readers, since the vendor's name is beside it. */
export function VendorMark({ id, name = id, size = 'small' }: VendorMarkProps) {
  const [letters, color] = vendorMarks[id] ?? initialOf(name)
  // Not as text, which would be copied and found along with the name.
  return <span className={classes.mark} data-letters={letters} data-color={color} data-size={size} aria-hidden />
}

const initialOf = (name: string): readonly [letters: string, color: undefined] => [
  (name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase(),
  undefined,
]
