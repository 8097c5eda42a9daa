import type { ColumnType, SampleSite, Value } from './statements'

/** What columns of grown sites may have, on every database. Numbers stay small enough to be added up. */
const oddValues: Readonly<Record<Exclude<ColumnType, 'id'>, readonly Value[]>> = {
  int: [null, 0, -1, 1, 7, 2_147_483_648, -5_000_000_000, 1_099_511_627_776],
  text: [
    null,
    '',
    ' ',
    'ＦＵＬＬ\u3000width',
    'a\\b\'c"d`e',
    '\u{1f600}\u0301',
    'line\nline\ttab\r',
    '{"a":',
    '[]',
    'null',
    'true',
    '0x10',
    'sk-',
    ',,',
    '10.0.0.0/99',
    'x'.repeat(5000),
  ],
  fixed: [null, '', 'short', 'ÄÖÜ', 'y'.repeat(48)],
  flag: [null, true, false],
  time: [null, '1970-01-02 00:00:00', '1999-12-31 23:59:59', '2038-01-19 03:14:08'],
  decimal: [null, 0, -1.5, 0.000_001, 1e15],
  json: [null, '{}', '[]', '1', '"text"', '{"is_multi_key":true}', '{"multi_key_status_list":[3]}'],
}

/** The share of values that become odd. */
const oddShare = 0.15

/** Columns by which rows are told from others. */
const isKey = (name: string): boolean => name === 'id' || name === 'key' || name === 'trade_no'

/** Returns a site with odd values in any of its columns, which follow from a seed. */
export function oddSite(site: SampleSite, seed: number): SampleSite {
  let state = seed
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const oddValue = (type: ColumnType, value: Value): Value => {
    if (type === 'id' || next() >= oddShare) return value
    const values = oddValues[type]
    return values[Math.floor(next() * values.length)] ?? null
  }
  return Object.fromEntries(
    Object.entries(site).map(([table, { columns, rows }]) => [
      table,
      {
        columns,
        rows: rows.map((row) =>
          Object.fromEntries(
            Object.entries(columns).map(([name, type]) => [
              name,
              isKey(name) ? (row[name] ?? null) : oddValue(type, row[name] ?? null),
            ]),
          ),
        ),
      },
    ]),
  )
}
