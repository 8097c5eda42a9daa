import { expect, test } from 'bun:test'

import { ordersVariable } from './orders'
import { workerEnvironment } from './launchers'

const orders = { workerId: 'node.1', setupCode: undefined }
const option = 'BUN_JSC_heapGrowthMaxIncrease'

test('a worker gets its orders, the operator’s environment and what the runtime reads', () => {
  const environment = workerEnvironment({ PORT: '3000' }, orders, '1.4.5')
  expect(environment['PORT']).toBe('3000')
  expect(JSON.parse(environment[ordersVariable] ?? '')).toEqual({ workerId: 'node.1' })
  expect(environment['BUN_CONFIG_MAX_HTTP_REQUESTS']).toBe('65535')
  expect(environment[option]).toBe('1')
  expect(environment['BUN_GC_TIMER_INTERVAL']).toBe('60000')
  expect(environment['MIMALLOC_PURGE_HOLES_MIN_INTERVAL']).toBe('1000')
})

test('an operator’s own option of memory management is kept', () => {
  expect(workerEnvironment({ [option]: '2' }, orders, '1.4.5')[option]).toBe('2')
})

test('a runtime that may not know the option does not get it', () => {
  expect(workerEnvironment({}, orders, '1.5.0')).not.toHaveProperty(option)
})

test('this runtime starts with what it gets', () => {
  const run = Bun.spawnSync([process.execPath, '-e', 'console.log(1)'], { env: workerEnvironment(process.env, orders) })
  expect([run.exitCode, run.stdout.toString()]).toEqual([0, '1\n'])
})
