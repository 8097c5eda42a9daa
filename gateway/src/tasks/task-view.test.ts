import { expect, test } from 'bun:test'

import { drawing } from '../../test/task-row'
import { songShape } from './task-view'

const song = {
  ...drawing,
  platform: 'suno',
  action: 'MUSIC',
  status: 'FAILURE',
  progress: 40,
  fail_reason: '{"code":"task.cancelled"}',
  data: '{"songs":[{"id":"one"}]}',
} as const

test('a song has the members of Suno-API, each from its own column, with times in seconds', () => {
  expect(songShape(song, 'en')).toEqual({
    task_id: 'task_1',
    notify_hook: '',
    action: 'MUSIC',
    status: 'FAILURE',
    fail_reason: 'It was cancelled',
    submit_time: 1,
    start_time: 2,
    finish_time: 3,
    progress: '40%',
    search_item: '',
    data: [{ id: 'one' }],
  })
})

test('a song says why it failed in the reader’s language, and has no data before its vendor reports any', () => {
  const shape = songShape({ ...song, data: '{}' }, 'zh')
  expect(shape).toMatchObject({ fail_reason: '任务已取消', data: null })
})
