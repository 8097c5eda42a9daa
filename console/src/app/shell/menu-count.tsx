import { VisuallyHidden } from '@mantine/core'

import classes from './menu.module.css'

const maxShown = 99

interface MenuCountProps {
  /** 0 renders nothing. */
  readonly count: number
  /** What is counted, including the count. */
  readonly label: string
  /** Only a dot, where there is little room. */
  readonly isDot: boolean
}

/** How much on a page needs attention, beside its name in a menu. */
export function MenuCount({ count, label, isDot }: MenuCountProps) {
  if (count === 0) return null
  return (
    <>
      <span className={classes.count} data-is-dot={isDot || undefined} title={label} aria-hidden>
        {isDot ? '' : count > maxShown ? `${maxShown}+` : count}
      </span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  )
}
