import { vendorIconFolder, vendorIcons } from './vendor-icons'
import classes from './vendor-mark.module.css'

interface VendorMarkProps {
  /** Id of a channel type or a model maker; unknown ones get the first letter of `name`. */
  readonly id: string
  readonly name?: string
  readonly size?: 'small' | 'large'
}

/** A vendor's icon in the colour of the text, loaded when it is rendered. Hidden from screen readers, since the vendor's name is beside it. */
export function VendorMark({ id, name = id, size = 'small' }: VendorMarkProps) {
  const icon = vendorIcons[id]
  const mask = icon && `url(/${vendorIconFolder}/${icon}.svg)`
  return (
    <span className={classes.mark} data-size={size} aria-hidden>
      {mask ? (
        <span className={classes.icon} style={{ maskImage: mask }} />
      ) : (
        // Not as text, which would be copied and found along with the name.
        <span className={classes.letter} data-letter={initialOf(name)} />
      )}
    </span>
  )
}

const initialOf = (name: string): string => (name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase()
