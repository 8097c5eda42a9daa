import { routingStrategies, type Option, type RoutingStrategy } from '@tollgate/contract'

/** Column names, keys of the texts. */
type ColumnName =
  | NonNullable<Option['names']>
  | 'userGroup'
  | 'usedGroup'
  | 'ratio'
  | 'dollars'
  | 'description'
  | 'link'
  | 'calls'
  | 'successes'
  | 'shownName'
  | 'color'
  | 'least'
  | 'factor'
  | 'channel'
  | 'groups'
  | 'sum'
  | 'percent'
  | 'once'
  | 'strategy'
  | 'cost'
  | 'speed'
  | 'load'

export interface TableColumn {
  readonly name: ColumnName
  readonly kind: 'flag' | 'group' | 'number' | 'quota' | 'text' | 'strategy'
  /** Relative to the other columns. */
  readonly width: number
  /** Minimum width in pixels, for phones. */
  readonly minWidth?: number
}

/** The choices in a column of strategies; the first is that of an empty cell. */
export const strategyChoices: readonly RoutingStrategy[] = routingStrategies

const number = (name: ColumnName): TableColumn => ({ name, kind: 'number', width: 1 })

/** Returns the columns of an option's table, from the left. */
export function columnsOf({ entries, names = 'model', unit }: Pick<Option, 'entries' | 'names' | 'unit'>) {
  const name: TableColumn = { name: names, kind: names === 'known-group' ? 'group' : 'text', width: 2 }
  const columns: Readonly<Record<NonNullable<Option['entries']>, readonly TableColumn[]>> = {
    number: [{ ...name, width: 3 }, number(unit === 'usd' ? 'dollars' : names === 'amount' ? 'factor' : 'ratio')],
    text: [name, { name: 'description', kind: 'text', width: 2 }],
    link: [
      { ...name, minWidth: 104 },
      { name: 'link', kind: 'text', width: 8 },
    ],
    matrix: [{ ...name, name: 'userGroup' }, { ...name, name: 'usedGroup' }, number('ratio')],
    limits: [name, number('calls'), number('successes')],
    amounts: [{ ...name, kind: 'number' }],
    bonus: [
      { ...name, kind: 'number' },
      { name: 'sum', kind: 'quota', width: 2, minWidth: 72 },
      number('percent'),
      { name: 'once', kind: 'flag', width: 1 },
    ],
    method: [
      { ...name, minWidth: 72 },
      { name: 'shownName', kind: 'text', width: 2, minWidth: 72 },
      { name: 'color', kind: 'text', width: 2 },
      { ...number('least'), minWidth: 48 },
    ],
    object: [
      { ...name, minWidth: 104 },
      { ...number('channel'), minWidth: 48 },
      { name: 'shownName', kind: 'text', width: 2, minWidth: 72 },
      { name: 'groups', kind: 'text', width: 2, minWidth: 72 },
    ],
    strategy: [
      { name: 'group', kind: 'group', width: 2, minWidth: 104 },
      { name: 'model', kind: 'text', width: 2, minWidth: 72 },
      { name: 'strategy', kind: 'strategy', width: 2, minWidth: 104 },
      { ...number('cost'), minWidth: 40 },
      { ...number('speed'), minWidth: 40 },
      { ...number('load'), minWidth: 40 },
    ],
  }
  return columns[entries ?? 'text']
}
