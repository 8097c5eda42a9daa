import type { ReactNode } from 'react'

import { useIsPhone } from '../lib/breakpoints'
import classes from './plain-table.module.css'

interface PlainTableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  /** Minimum width before it scrolls sideways. */
  readonly minWidth?: number
}

/** What fits beside the margins of a phone. */
const phoneWidth = 340

/** A few read-only rows without sorting, selection or paging. On phones, a table that does not fit is a list. */
export function PlainTable({ label, columns, rows, minWidth = 560 }: PlainTableProps) {
  const isFolded = useIsPhone() && minWidth > phoneWidth
  if (isFolded) return <FoldedTable label={label} columns={columns} rows={rows} />
  return (
    <div className={classes.frame} role="group" aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-label={label} style={{ minWidth }}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                <td key={columns[place]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Each row under its first cell, the others after the names of their columns. */
const FoldedTable = ({ label, columns, rows }: PlainTableProps) => (
  <ul className={`figures ${classes.folded}`} aria-label={label}>
    {rows.map(({ key, cells }) => (
      <li key={key}>
        {cells.map((cell, place) => (
          <div key={columns[place]} data-is-first={place === 0 || undefined}>
            {place > 0 && <span className={classes.name}>{columns[place]}</span>}
            {cell}
          </div>
        ))}
      </li>
    ))}
  </ul>
)
