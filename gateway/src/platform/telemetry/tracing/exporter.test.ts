import { expect, test } from 'bun:test'

import { pino } from 'pino'

import { eventually } from '../../../../test/eventually'
import { Exporter } from './exporter'
import type { Span } from './otlp'
import { systemTimers } from '../../time/timers'

const aSpan = (name: string): Span => ({
  traceId: '1',
  spanId: '2',
  parentSpanId: '',
  name,
  kind: 'server',
  startMs: 1,
  endMs: 2,
  attributes: {},
  isError: false,
})
const spans = (count: number) => Array.from({ length: count }, (_, index) => aSpan(String(index)))

function anExporter(respond: () => Promise<Response>) {
  const sent: number[] = []
  const lines: string[] = []
  let dropped = 0
  const exporter = new Exporter({
    url: 'http://collector.invalid/v1/traces',
    headers: {},
    fetch: (_url, init) => {
      sent.push(Number(init.body))
      return respond()
    },
    encode: (batch) => String(batch.length),
    log: pino({}, { write: (line) => lines.push(line) }),
    onDropped: (count) => (dropped += count),
    intervalMs: 1,
    timers: systemTimers,
  })
  const until = (isSo: () => boolean) => eventually(() => Bun.sleep(1).then(() => isSo() || null))
  return { exporter, sent, lines, until, dropped: () => dropped }
}

test('spans are sent in batches, and the rest when the process ends', async () => {
  const { exporter, sent, dropped } = anExporter(() => Promise.resolve(new Response('{}')))
  exporter.add(spans(1200))
  await exporter.close()
  expect(sent).toEqual([512, 512, 176])
  expect(dropped()).toBe(0)
})

test('an unavailable collector costs no more than a queue, is reported once, and gets what waited', async () => {
  let isAway = true
  const { exporter, sent, lines, until, dropped } = anExporter(() =>
    isAway ? Promise.reject(new Error('connect https://user:secret@collector')) : Promise.resolve(new Response('{}')),
  )
  for (let index = 0; index < 10; index += 1) exporter.add(spans(500))
  await until(() => sent.length >= 5)
  expect(dropped()).toBe(5000 - 4096)
  expect(lines.filter((line) => line.includes('do not reach'))).toHaveLength(1)
  expect(lines.join('')).not.toContain('secret')
  isAway = false
  sent.length = 0
  await until(() => sent.reduce((sum, count) => sum + count, 0) >= 4096)
  await until(() => lines.some((line) => line.includes('again')))
  expect(dropped()).toBe(5000 - 4096)
  await exporter.close()
})

test('spans that a collector refuses permanently are dropped and counted', async () => {
  const { exporter, until, dropped } = anExporter(() => Promise.resolve(new Response('no', { status: 400 })))
  exporter.add(spans(3))
  await until(() => dropped() === 3)
  await exporter.close()
  expect(dropped()).toBe(3)
})

test('spans that cannot be sent in the end are counted', async () => {
  const { exporter, dropped } = anExporter(() => Promise.resolve(new Response('no', { status: 503 })))
  exporter.add(spans(3))
  await exporter.close()
  expect(dropped()).toBe(3)
})
