import classes from '../logs.module.css'

interface CostLineProps {
  readonly name: string
  /** How the amount comes about: `4,176 × $0.15/M`. */
  readonly factors?: string
  readonly dollars?: string
  readonly isTotal?: boolean
}

/** One line of a cost. The amounts stand below each other. */
export const CostLine = ({ name, factors, dollars, isTotal }: CostLineProps) => (
  <div className={classes.formulaLine} data-is-total={isTotal || undefined}>
    <span>{name}</span>
    {factors && <span className={classes.factors}>{factors}</span>}
    {dollars && <span className="figures">{dollars}</span>}
  </div>
)
