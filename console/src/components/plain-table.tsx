import type { ReactNode } from 'react'

import classes from './plain-table.module.css'

interface PlainTableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  /** Minimum width before it scrolls sideways. */
  readonly minWidth?: number
}

/** A few read-only rows without sorting, selection or paging. */
export function PlainTable({ label, columns, rows, minWidth = 560 }: PlainTableProps) {
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
