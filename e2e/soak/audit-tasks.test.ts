import { expect, test } from 'bun:test'

import type { TaskFate } from '@tollgate/simulator'

import { auditTasks, type EndedTask } from './audit-tasks'
import { songQuota } from './site'
import type { TaskOutcome } from './task-traffic'

const name = 'soak-1-song-1'

const submitted = (fields: Partial<TaskOutcome> = {}): TaskOutcome => ({
  name,
  fate: 'finish',
  payer: { userId: 2, tokenId: 3, key: 'sk-any' },
  taskId: 'task_1',
  isLate: false,
  ...fields,
})
const succeeded = (fields: Partial<EndedTask> = {}): EndedTask => ({
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
const failed = (fields: Partial<EndedTask> = {}): EndedTask =>
  succeeded({ status: 'FAILURE', quota: 0, charges: 0, charged: 0, rows: 0, ...fields })

const kindsOf = (task: TaskOutcome, ...rows: EndedTask[]): string[] => auditTasks([task], rows).map(({ kind }) => kind)

test('a task that succeeded and was charged its price once is correct', () => {
  expect(kindsOf(submitted(), succeeded())).toEqual([])
})

test('a task that failed as its vendor said and was not charged is correct', () => {
  expect(kindsOf(submitted({ fate: 'fail' }), failed())).toEqual([])
})

test.each([
  ['a hold that is left', 'leases', succeeded({ holds: 1 })],
  ['a second charge', 'doubled', succeeded({ charges: 2, charged: 2 * songQuota })],
  ['a second log row', 'doubled', succeeded({ rows: 2 })],
  ['a success without a charge', 'lost', succeeded({ charges: 0, charged: 0 })],
  ['a success without a log row', 'lost', succeeded({ rows: 0 })],
  ['another price in the task', 'amount', succeeded({ quota: songQuota + 1 })],
  ['another amount in the charge', 'amount', succeeded({ charged: songQuota - 1 })],
  ['another user', 'amount', succeeded({ user_id: 9 })],
  ['another key', 'amount', succeeded({ token_id: 9 })],
  ['another id', 'other', succeeded({ public_id: 'task_2' })],
  ['a failure where the vendor finished', 'other', failed()],
  ['a task that has not ended', 'other', failed({ status: 'IN_PROGRESS' })],
])('%s is a violation: %s', (_, kind, row) => {
  expect(kindsOf(submitted(), row)).toEqual([kind])
})

test.each([
  ['a charge', failed({ charges: 1, charged: songQuota })],
  ['a log row', failed({ rows: 1 })],
  ['a price', failed({ quota: songQuota })],
])('a task that failed has a wrong amount with %s', (_, row) => {
  expect(kindsOf(submitted({ fate: 'fail' }), row)).toEqual(['amount'])
})

test('a task has a row if its client knows its id, and never two', () => {
  expect(kindsOf(submitted())).toEqual(['lost'])
  expect(kindsOf(submitted(), succeeded(), succeeded({ public_id: 'task_2' }))).toEqual(['doubled'])
  expect(kindsOf(submitted({ taskId: '' }))).toEqual([])
})

test('a task whose client does not know its id may also have failed', () => {
  expect(kindsOf(submitted({ taskId: '' }), failed())).toEqual([])
  expect(kindsOf(submitted({ taskId: '' }), succeeded())).toEqual([])
  expect(kindsOf(submitted({ taskId: '', fate: 'fail' }), succeeded())).toEqual(['other'])
})

test('a submission that is never answered is a violation', () => {
  expect(kindsOf(submitted({ taskId: '', isLate: true }))).toEqual(['other'])
})

test.each<[TaskFate, readonly string[]]>([
  ['at-once', ['SUCCESS']],
  ['flip', ['SUCCESS', 'FAILURE']],
  ['forget', ['FAILURE']],
  ['hang', ['FAILURE']],
  ['refuse', []],
])('the vendor’s %s permits the ends %j', (fate, ends) => {
  const permitted = [succeeded(), failed()].filter((row) => kindsOf(submitted({ fate }), row).length === 0)
  expect(permitted.map(({ status }) => status)).toEqual([...ends])
})
