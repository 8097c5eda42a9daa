import { expect, test } from 'bun:test'

import { plainText } from './plain-text'

test.each([
  ['Maintenance on **Sunday, 02:00 to 03:00 UTC**.', 'Maintenance on Sunday, 02:00 to 03:00 UTC.'],
  ['# New models\n\n- `o3-mini`\n- [gpt-4.1](https://example.com/x)', 'New models o3-mini gpt-4.1'],
  ['<h2>Prices</h2><p>Down by <b>10 %</b> &amp; more</p>', 'Prices Down by 10 % & more'],
  ['<script>alert(1)</script><style>a{}</style>Hello', 'Hello'],
  ['a < b and snake_case_name', 'a < b and snake_case_name'],
  ['*Calls* may fail _today_, ~~never~~ rarely', 'Calls may fail today, never rarely'],
  ['2 * 3 * 4 and *', '2 * 3 * 4 and *'],
  ['See https://status.example/now', 'See https://status.example/now'],
])('%p becomes %p', (text, words) => {
  expect(plainText(text)).toBe(words)
})
