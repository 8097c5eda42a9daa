import { expect, test } from 'bun:test'

import { joinDeltas } from '../../core/neutral/test/fixtures'
import { PassingTap } from '../../core/streaming/passing-tap'
import type { JsonObject } from '../../core/json'
import { openAiResponsesCodec } from './codec'
import { ResponsesObserver } from './observe'
import { replayedEvents, replayedStream } from './replay'
import { fullEvents, fullResponse, wire } from './test/fixtures'

const readEvents = (events: readonly JsonObject[]) => {
  const reader = openAiResponsesCodec.createReader()
  const read = events.flatMap((event) => reader.read({ name: String(event['type']), data: JSON.stringify(event) }))
  return joinDeltas([...read, ...reader.end()])
}
const kindsIn = (events: readonly JsonObject[]) => [...new Set(events.map(({ type }) => String(type)))].toSorted()

test('a replayed response says what the whole one says, in the kinds of events of its stream', () => {
  const replayed = replayedEvents(fullResponse)
  expect(readEvents(replayed)).toEqual(joinDeltas(openAiResponsesCodec.readAnswer(fullResponse)))
  // How a tool of the vendor's came along is not part of the response.
  expect(kindsIn(replayed)).toEqual(kindsIn(fullEvents).filter((type) => !type.includes('web_search_call')))
  expect(replayed.map((event) => event['sequence_number'])).toEqual(replayed.map((_, index) => index))
  const tap = new PassingTap(new ResponsesObserver())
  tap.push(new TextEncoder().encode(wire(replayed)))
  tap.end()
  tap.finish()
  expect(tap.wholeAnswer()).toEqual(fullResponse)
})

test('an item begins empty and ends whole', () => {
  const replayed = replayedEvents(fullResponse)
  const itemsOf = (type: string) => replayed.filter((event) => event['type'] === type).map(({ item }) => item)
  const output = fullResponse['output']
  expect(itemsOf('response.output_item.done')).toEqual(output as unknown[])
  expect(itemsOf('response.output_item.added')).toMatchObject([
    { type: 'reasoning', summary: [] },
    { type: 'web_search_call', status: 'in_progress' },
    { type: 'message', status: 'in_progress', content: [] },
    { type: 'function_call', status: 'in_progress', arguments: '', name: 'lookup' },
    { type: 'custom_tool_call', status: 'in_progress', input: '', name: 'shell' },
  ])
})

test.each([
  ['incomplete', 'response.incomplete'],
  ['failed', 'response.failed'],
  ['completed', 'response.completed'],
])('a response that is %s ends so', (status, type) => {
  expect(replayedEvents({ ...fullResponse, status }).at(-1)).toMatchObject({ type, response: { status } })
})

test('a stream begins behind the event that a client has read', () => {
  const all = replayedStream(fullResponse)
  const count = replayedEvents(fullResponse).length
  for (const after of [0, 3, count - 2]) {
    const rest = replayedStream(fullResponse, after)
    expect(all.endsWith(rest)).toBe(true)
    expect(rest.match(/"sequence_number":/g)).toHaveLength(count - after - 1)
  }
  expect(replayedStream(fullResponse, count + 5)).toBe('')
})
