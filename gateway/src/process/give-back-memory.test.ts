import { expect, test } from 'bun:test'

import { memoryLook } from './give-back-memory'

const megabyte = 1024 * 1024

function aProcess() {
  const state = { count: 0, megabytes: 80, collected: 0 }
  const look = memoryLook({
    inFlight: state,
    residentBytes: () => state.megabytes * megabyte,
    collect: () => void (state.collected += 1),
  })
  return { state, look }
}

test('memory is collected once after a burst, when nothing was in flight at two looks', () => {
  const { state, look } = aProcess()
  look()
  state.count = 400
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

test('calls that leave little cost no pause', () => {
  const { state, look } = aProcess()
  state.megabytes = 100
  for (let time = 0; time < 5; time += 1) look()
  expect(state.collected).toBe(0)
})

test('every burst counts from the least that was held, though pages are given back late', () => {
  const { state, look } = aProcess()
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
