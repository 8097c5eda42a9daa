import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface PlainTableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  /** Narrower than this it scrolls sideways. */
  readonly minWidth?: number
}

/** A few rows that are read: nothing is sorted, chosen or paged. */
export function PlainTable({ label, columns, rows, minWidth = 560 }: PlainTableProps) {
  return (
    <Table.ScrollContainer type="native" minWidth={minWidth} tabIndex={0} role="group" aria-label={label}>
      <Table aria-label={label} verticalSpacing={7} horizontalSpacing="md" styles={{ th: { whiteSpace: 'nowrap' } }}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} fw={500} c="dimmed">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="figures">
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, place) => (
                <Table.Td key={columns[place]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
