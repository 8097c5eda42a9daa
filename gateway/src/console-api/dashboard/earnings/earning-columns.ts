import type { earningRoutes } from '@tollgate/contract'

import { isoTime, moneyColumns, type CsvColumn } from '../../../http/response/csv-file'

type Row = earningRoutes.EarningRow

const groupingNames: Readonly<Record<earningRoutes.EarningGrouping, CsvColumn<Row>['name']>> = {
  time: { en: 'Time (UTC)', zh: '时间 (UTC)' },
  channel: { en: 'Channel', zh: '渠道' },
  key: { en: 'Channel', zh: '渠道' },
  model: { en: 'Model', zh: '模型' },
  group: { en: 'Group', zh: '分组' },
  user: { en: 'User', zh: '用户' },
}

/** Returns the columns of the file. What is not known is empty, which is not 0. */
export const earningColumns = (grouping: earningRoutes.EarningGrouping): readonly CsvColumn<Row>[] => [
  {
    name: groupingNames[grouping],
    cell: ({ id, name }) => (grouping === 'time' ? isoTime(id ?? 0) : name),
  },
  ...(grouping === 'channel' || grouping === 'key' || grouping === 'user' ? [idColumn] : []),
  ...(grouping === 'key' ? [keyColumn] : []),
  { name: { en: 'Calls', zh: '调用次数' }, cell: ({ count }) => count },
  ...moneyColumns<Row>({ en: 'Sale', zh: '销售额' }, ({ quota }) => quota),
  { name: { en: 'Calls of unknown cost', zh: '成本未知的调用次数' }, cell: ({ unpriced }) => unpriced },
  ...moneyColumns<Row>({ en: 'Sale of unknown cost', zh: '成本未知部分的销售额' }, ({ quota, sold }) => quota - sold),
  ...emptyUnlessKnown(moneyColumns<Row>({ en: 'Sale of known cost', zh: '成本已知部分的销售额' }, ({ sold }) => sold)),
  ...emptyUnlessKnown(moneyColumns<Row>({ en: 'Cost', zh: '成本' }, ({ cost }) => cost)),
  ...emptyUnlessKnown(moneyColumns<Row>({ en: 'Profit', zh: '毛利' }, ({ sold, cost }) => sold - cost)),
  {
    name: { en: 'Margin (%)', zh: '毛利率 (%)' },
    cell: ({ sold, cost }) => (sold > 0 ? Math.round((1 - cost / sold) * 10_000) / 100 : ''),
  },
  { name: { en: 'Input tokens', zh: '输入 Token' }, cell: ({ prompt_tokens: tokens }) => tokens },
  { name: { en: 'Cached tokens', zh: '命中缓存的 Token' }, cell: ({ cached_tokens: tokens }) => tokens },
  ...moneyColumns<Row>({ en: 'Saved by caches', zh: '缓存节省' }, ({ saved }) => saved),
]

const idColumn: CsvColumn<Row> = { name: { en: 'ID', zh: 'ID' }, cell: ({ id }) => id ?? '' }
const keyColumn: CsvColumn<Row> = { name: { en: 'Key', zh: '密钥' }, cell: ({ key }) => key ?? '' }

/** Leaves cells empty where the cost of no call is known. */
const emptyUnlessKnown = (columns: readonly CsvColumn<Row>[]): CsvColumn<Row>[] =>
  columns.map((column) => ({
    name: column.name,
    cell: (row, ...others) => (row.count > row.unpriced ? column.cell(row, ...others) : ''),
  }))
