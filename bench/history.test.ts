import { expect, test } from 'bun:test'

import { historyLine } from './history'

const head = 'date,commit,to_nginx,to_last,cpu_us_per_call,object_kb_per_call\n'
const commit = { date: '2026-11-29', commit: '0123abcd' }

test('a line holds what its run measured, and nothing in place of what it did not', () => {
  expect(historyLine(head, commit, { toLast: 0.9876, microseconds: 61.25 })).toBe('2026-11-29,0123abcd,,0.988,61.3,\n')
  expect(historyLine(head, commit, { kilobytes: 20 })).toBe('2026-11-29,0123abcd,,,,20.0\n')
})

test('a ratio to nginx is compared with the last line that has one', () => {
  const history = `${head}2026-11-27,a,4.000,,60.0,\n2026-11-28,b,,1.010,61.0,\n`
  expect(historyLine(history, commit, { toNginx: 4.2 })).toBe('2026-11-29,0123abcd,4.200,1.050,,\n')
  expect(historyLine(head, commit, { toNginx: 4.2 })).toBe('2026-11-29,0123abcd,4.200,,,\n')
})
