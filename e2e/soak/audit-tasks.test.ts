import { expect, test } from 'bun:test'

import type { TaskFate } from '@tollgate/simulator'

import { auditTasks, type EndedTask } from './audit-tasks'
import { songQuota } from './site'
import type { TaskOutcome } from './task-traffic'

const name = 'soak-1-song-1'

const aTaskOutcome = (fields: Partial<TaskOutcome> = {}): TaskOutcome => ({
  name,
  fate: 'finish',
  payer: { userId: 2, tokenId: 3, key: 'sk-any' },
  taskId: 'task_1',
  isLate: false,
  ...fields,
})
const aSucceededTask = (fields: Partial<EndedTask> = {}): EndedTask => ({
  public_id: 'task_1',
  user_id: 2,
  token_id: 3,
  status: 'SUCCESS',
  prompt: `${name} finish`,
  quota: songQuota,
  charges: 1,
  charged: songQuota,
  rows: 1,
  holds: 0,
  ...fields,
})
const aFailedTask = (fields: Partial<EndedTask> = {}): EndedTask =>
  aSucceededTask({ status: 'FAILURE', quota: 0, charges: 0, charged: 0, rows: 0, ...fields })

const kindsOf = (task: TaskOutcome, ...rows: EndedTask[]): string[] => auditTasks([task], rows).map(({ kind }) => kind)

test('a task that succeeded and was charged its price once is correct', () => {
  expect(kindsOf(aTaskOutcome(), aSucceededTask())).toEqual([])
})

test('a task that failed as its vendor said and was not charged is correct', () => {
  expect(kindsOf(aTaskOutcome({ fate: 'fail' }), aFailedTask())).toEqual([])
})

test.each([
  ['a hold that is left', 'leases', aSucceededTask({ holds: 1 })],
  ['a second charge', 'doubled', aSucceededTask({ charges: 2, charged: 2 * songQuota })],
  ['a second log row', 'doubled', aSucceededTask({ rows: 2 })],
  ['a success without a charge', 'lost', aSucceededTask({ charges: 0, charged: 0 })],
  ['a success without a log row', 'lost', aSucceededTask({ rows: 0 })],
  ['another price in the task', 'amount', aSucceededTask({ quota: songQuota + 1 })],
  ['another amount in the charge', 'amount', aSucceededTask({ charged: songQuota - 1 })],
  ['another user', 'amount', aSucceededTask({ user_id: 9 })],
  ['another key', 'amount', aSucceededTask({ token_id: 9 })],
  ['another id', 'other', aSucceededTask({ public_id: 'task_2' })],
  ['a failure where the vendor finished', 'other', aFailedTask()],
  ['a task that has not ended', 'other', aFailedTask({ status: 'IN_PROGRESS' })],
])('%s is a violation: %s', (_, kind, row) => {
  expect(kindsOf(aTaskOutcome(), row)).toEqual([kind])
})

test.each([
  ['a charge', aFailedTask({ charges: 1, charged: songQuota })],
  ['a log row', aFailedTask({ rows: 1 })],
  ['a price', aFailedTask({ quota: songQuota })],
])('a task that failed has a wrong amount with %s', (_, row) => {
  expect(kindsOf(aTaskOutcome({ fate: 'fail' }), row)).toEqual(['amount'])
})

test('a task has a row if its client knows its id, and never two', () => {
  expect(kindsOf(aTaskOutcome())).toEqual(['lost'])
  expect(kindsOf(aTaskOutcome(), aSucceededTask(), aSucceededTask({ public_id: 'task_2' }))).toEqual(['doubled'])
  expect(kindsOf(aTaskOutcome({ taskId: '' }))).toEqual([])
})

test('a task whose client does not know its id may also have failed', () => {
  expect(kindsOf(aTaskOutcome({ taskId: '' }), aFailedTask())).toEqual([])
  expect(kindsOf(aTaskOutcome({ taskId: '' }), aSucceededTask())).toEqual([])
  expect(kindsOf(aTaskOutcome({ taskId: '', fate: 'fail' }), aSucceededTask())).toEqual(['other'])
})

test('a submission that is never answered is a violation', () => {
  expect(kindsOf(aTaskOutcome({ taskId: '', isLate: true }))).toEqual(['other'])
})

test.each<[TaskFate, readonly string[]]>([
  ['at-once', ['SUCCESS']],
  ['flip', ['SUCCESS', 'FAILURE']],
  ['forget', ['FAILURE']],
  ['hang', ['FAILURE']],
  ['refuse', []],
])('the vendor’s %s permits the ends %j', (fate, ends) => {
  const permitted = [aSucceededTask(), aFailedTask()].filter((row) => kindsOf(aTaskOutcome({ fate }), row).length === 0)
  expect(permitted.map(({ status }) => status)).toEqual([...ends])
})
