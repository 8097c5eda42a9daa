import classes from './stat.module.css'

interface StatFactProps {
  readonly name: string
  /** Null where there is none. */
  readonly value: string | null | undefined
  readonly note?: string | null | undefined
  /** Colour of its line in a chart. */
  readonly color?: string
}

/** A figure within a panel. */
export function StatFact({ name, value, note, color }: StatFactProps) {
  return (
    <div className={classes.fact}>
      <span className={classes.name}>
        {color && <span className={classes.swatch} style={{ background: color }} />}
        {name}
      </span>
      <span className={classes.factValue}>{value ?? '–'}</span>
      {note && <span className={classes.notes}>{note}</span>}
    </div>
  )
}
