import { VisuallyHidden } from '@mantine/core'

import classes from './menu.module.css'

const most = 99

interface MenuCountProps {
  /** Nothing is drawn for 0. */
  readonly count: number
  /** What is counted, with the count. */
  readonly label: string
  /** Where there is room for a dot only. */
  readonly isDot: boolean
}

/** How much on a page needs a look, beside its name in a menu. */
export function MenuCount({ count, label, isDot }: MenuCountProps) {
  if (count === 0) return null
  return (
    <>
      <span className={classes.count} data-is-dot={isDot || undefined} title={label} aria-hidden>
        {isDot ? '' : count > most ? `${most}+` : count}
      </span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  )
}
