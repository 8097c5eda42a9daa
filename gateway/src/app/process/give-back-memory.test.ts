import { expect, test } from 'bun:test'

import { memoryPoll } from './give-back-memory'

const megabyte = 1024 * 1024

function aProcess() {
  const state = { count: 0, entered: 0, megabytes: 80, collected: 0, shrunk: 0 }
  const poll = memoryPoll({
    inFlight: state,
    residentBytes: () => state.megabytes * megabyte,
    collect: () => void (state.collected += 1),
    shrink: () => void (state.shrunk += 1),
  })
  return { state, poll }
}

test('memory is collected once after a burst, when nothing was in flight at two consecutive checks', () => {
  const { state, poll } = aProcess()
  poll()
  state.count = state.entered = 400
  state.megabytes = 200
  poll()
  state.count = 0
  poll()
  expect(state.collected).toBe(0)
  poll()
  expect(state.collected).toBe(1)
  poll()
  expect(state.collected).toBe(1)
})

test('memory is given back twice after the start and after each growth, until the first call', () => {
  const { state, poll } = aProcess()
  for (let time = 0; time < 4; time += 1) poll()
  expect([state.shrunk, state.collected]).toEqual([2, 0])
  state.megabytes = 90
  for (let time = 0; time < 4; time += 1) poll()
  expect([state.shrunk, state.collected]).toEqual([4, 0])
})

test('compiled code is kept from the first call on', () => {
  const { state, poll } = aProcess()
  state.count = state.entered = 1
  poll()
  state.count = 0
  state.megabytes = 90
  for (let time = 0; time < 3; time += 1) poll()
  expect(state.shrunk).toBe(0)
})

test('calls that leave little garbage cause no pause', () => {
  const { state, poll } = aProcess()
  state.entered = 1
  state.megabytes = 100
  for (let time = 0; time < 5; time += 1) poll()
  expect(state.collected).toBe(0)
})

test('every burst counts from the lowest memory use, though pages are given back late', () => {
  const { state, poll } = aProcess()
  state.entered = 1
  poll()
  state.megabytes = 200
  poll()
  expect(state.collected).toBe(1)
  state.megabytes = 90
  poll()
  state.megabytes = 150
  poll()
  expect(state.collected).toBe(2)
})
