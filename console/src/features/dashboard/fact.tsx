import classes from './dashboard.module.css'

interface FactProps {
  readonly name: string
  /** Null where there is none. */
  readonly value: string | null | undefined
  readonly note?: string | null | undefined
  /** Of its line in a chart. */
  readonly color?: string
}

/** A figure within a panel. */
export function Fact({ name, value, note, color }: FactProps) {
  return (
    <div className={classes.fact}>
      <span className={classes.figureName}>
        {color && <span className={classes.swatch} style={{ background: color }} />}
        {name}
      </span>
      <span className={classes.factValue}>{value ?? '–'}</span>
      {note && <span className={classes.notes}>{note}</span>}
    </div>
  )
}
