import { describe, expect, test } from 'bun:test'

import { readSupervisorMessage, readWorkerMessage, type SupervisorMessage, type WorkerMessage } from './messages'
import { readOrders } from './orders'

const roundTrip = (message: unknown): unknown => JSON.parse(JSON.stringify(message))

const ofWorkers: readonly WorkerMessage[] = [
  { kind: 'prepared', workers: 2, setupCode: '', isSettled: true },
  { kind: 'listening', url: 'http://127.0.0.1:3000', setting: { workers: 2, database: 'sqlite' } },
  { kind: 'asked', topic: 'channels', question: 1, about: [3] },
  { kind: 'asked', topic: 'metrics', question: 1 },
  { kind: 'answer', question: 1, value: { any: 'value' } },
  { kind: 'health', news: { kind: 'closed', of: 'channel', name: '3' } },
]

const ofSupervisor: readonly SupervisorMessage[] = [
  { kind: 'question', topic: 'state', question: 7 },
  { kind: 'question', topic: 'channels', question: 7, about: [3] },
  { kind: 'answers', topic: 'log-lines', question: 7, values: [[], ['line']] },
  { kind: 'health', news: { kind: 'closed', of: 'channel', name: '3' } },
]

describe('messages between the processes of a node', () => {
  test.each(ofWorkers)('the supervisor reads what a worker sends: %o', (message) => {
    expect(readWorkerMessage(roundTrip(message))).toEqual(message)
  })

  test.each(ofSupervisor)('a worker reads what the supervisor sends: %o', (message) => {
    expect(readSupervisorMessage(roundTrip(message))).toEqual(message)
  })

  test.each<[string, unknown]>([
    ['a text', 'ready'],
    ['null', null],
    ['a kind of a later release', { kind: 'paused', question: 1 }],
    ['a topic of a later release', { kind: 'asked', topic: 'traces', question: 1 }],
    ['a question without a number', { kind: 'asked', topic: 'metrics' }],
    ['an answer without a question', { kind: 'answer', value: 1 }],
    ['a node prepared for no number of workers', { kind: 'prepared', setupCode: '', isSettled: true }],
    ['a setup code of another kind', { kind: 'prepared', workers: 1, setupCode: 12, isSettled: true }],
    ['a worker that listens nowhere', { kind: 'listening', setting: {} }],
    ['a setting with a list', { kind: 'listening', url: 'http://x', setting: { ports: [1] } }],
  ])('the supervisor ignores %s', (_, message) => {
    expect(readWorkerMessage(message)).toBeNull()
  })

  test.each<[string, unknown]>([
    ['a text', 'stop'],
    ['a kind of a later release', { kind: 'rest', question: 1 }],
    ['a topic of a later release', { kind: 'question', topic: 'traces', question: 1 }],
    ['answers that are not a list', { kind: 'answers', topic: 'metrics', question: 1, values: {} }],
  ])('a worker ignores %s', (_, message) => {
    expect(readSupervisorMessage(message)).toBeNull()
  })
})

describe('orders of a worker', () => {
  test.each([
    { workerId: 'node.1', setupCode: undefined },
    { workerId: 'node.2', setupCode: 'abc' },
  ])('orders are read as they were written: %o', (orders) => {
    expect(readOrders(JSON.stringify(orders))).toEqual(orders)
  })

  test.each(['', '1', 'null', '{}', '{"workerId":1}', '{"workerId":"a","setupCode":1}'])(
    'orders of %p are refused',
    (text) => {
      expect(() => readOrders(text)).toThrow(TypeError)
    },
  )
})
