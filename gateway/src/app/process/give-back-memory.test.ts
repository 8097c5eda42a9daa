import { expect, test } from 'bun:test'

import { memoryLook } from './give-back-memory'

const megabyte = 1024 * 1024

function aProcess() {
  const state = { count: 0, entered: 0, megabytes: 80, collected: 0, shrunk: 0 }
  const look = memoryLook({
    inFlight: state,
    residentBytes: () => state.megabytes * megabyte,
    collect: () => void (state.collected += 1),
    shrink: () => void (state.shrunk += 1),
  })
  return { state, look }
}

test('memory is collected once after a burst, when nothing was in flight at two consecutive checks', () => {
  const { state, look } = aProcess()
  look()
  state.count = state.entered = 400
  state.megabytes = 200
  look()
  state.count = 0
  look()
  expect(state.collected).toBe(0)
  look()
  expect(state.collected).toBe(1)
  look()
  expect(state.collected).toBe(1)
})

test('memory is given back twice after the start and after each growth, until the first call', () => {
  const { state, look } = aProcess()
  for (let time = 0; time < 4; time += 1) look()
  expect([state.shrunk, state.collected]).toEqual([2, 0])
  state.megabytes = 90
  for (let time = 0; time < 4; time += 1) look()
  expect([state.shrunk, state.collected]).toEqual([4, 0])
})

test('compiled code is kept from the first call on', () => {
  const { state, look } = aProcess()
  state.count = state.entered = 1
  look()
  state.count = 0
  state.megabytes = 90
  for (let time = 0; time < 3; time += 1) look()
  expect(state.shrunk).toBe(0)
})

test('calls that leave little garbage cause no pause', () => {
  const { state, look } = aProcess()
  state.entered = 1
  state.megabytes = 100
  for (let time = 0; time < 5; time += 1) look()
  expect(state.collected).toBe(0)
})

test('every burst counts from the lowest memory use, though pages are given back late', () => {
  const { state, look } = aProcess()
  state.entered = 1
  look()
  state.megabytes = 200
  look()
  expect(state.collected).toBe(1)
  state.megabytes = 90
  look()
  state.megabytes = 150
  look()
  expect(state.collected).toBe(2)
})
