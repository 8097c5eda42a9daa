import { expect, test } from 'bun:test'

import { exposition } from './metrics-route'
import { Counted, Measured, Spread } from './series'

function aWorker(calls: number, seconds: readonly number[], age: number) {
  const counted = new Counted('calls_total', 'Calls.', ['dialect', 'status'])
  counted.add('openai-chat 2xx', calls)
  const spread = new Spread('wait_seconds', 'Waits.', [0.1, 1], ['stage'])
  for (const each of seconds) spread.observe(each, 'admit')
  return [counted.read(), spread.read(), new Measured('oldest_seconds', 'Age.', () => age, { merge: 'max' }).read()]
}

test('the readings of workers are one text: summed, or the highest', () => {
  expect(exposition([aWorker(2, [0.1, 5], 7), aWorker(3, [0.5], 4)])).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{dialect="openai-chat",status="2xx"} 5

# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{stage="admit",le="0.1"} 1
wait_seconds_bucket{stage="admit",le="1"} 2
wait_seconds_bucket{stage="admit",le="+Inf"} 3
wait_seconds_sum{stage="admit"} 5.6
wait_seconds_count{stage="admit"} 3

# HELP oldest_seconds Age.
# TYPE oldest_seconds gauge
oldest_seconds 7
`)
})

test('what only one worker has counted is included', () => {
  const other = new Counted('calls_total', 'Calls.', ['dialect'])
  const one = new Counted('calls_total', 'Calls.', ['dialect'])
  one.add('gemini')
  expect(exposition([[other.read()], [one.read()]])).toContain('calls_total{dialect="gemini"} 1\n')
})

test('a label value cannot break its line', () => {
  const counted = new Counted('outcomes_total', 'Outcomes.', ['outcome'])
  counted.add('a"b\\c\nd')
  expect(exposition([[counted.read()]])).toContain('outcomes_total{outcome="a\\"b\\\\c\\nd"} 1\n')
})
