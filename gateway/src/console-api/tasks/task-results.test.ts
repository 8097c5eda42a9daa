import { expect, test } from 'bun:test'

import { codeOf, resultsOf } from './task-results'

const task = { public_id: 'task_1', status: 'SUCCESS', progress: 100 }
const read = (results: unknown, data: unknown = {}) =>
  resultsOf({ ...task, results: JSON.stringify(results), data: JSON.stringify(data) })
const at = (kind: string, index: number) => `/api/task/result/task_1/${kind}/${index}`

const mp3 = 'https://cdn.example/a.mp3'

test('files have addresses of the site by kind and place, whatever the vendor’s are', () => {
  const results = [
    { kind: 'video', url: 'https://vendor.example/clip?key=k', isSecret: true },
    { kind: 'image', url: 'https://cdn.example/kite.png' },
    { kind: 'video', fileId: 'f1' },
  ]
  expect(read(results).map(({ url }) => url)).toEqual([at('video', 0), at('image', 0), at('video', 1)])
})

test('the picture of a task that has not ended has another address with each step', () => {
  const results = JSON.stringify([{ kind: 'image', url: 'https://cdn.example/kite.png' }])
  const unfinished = { ...task, status: 'IN_PROGRESS', progress: 35, results, data: '{}' }
  expect(resultsOf(unfinished)[0]?.url).toBe(`${at('image', 0)}?progress=35`)
})

test('a song has its title and lyrics beside the sound', () => {
  const songs = [
    { title: 'Harbour', audio_url: mp3, video_url: 'https://cdn.example/a.mp4', metadata: { prompt: 'Ice' } },
  ]
  const results = [
    { kind: 'audio', url: mp3 },
    { kind: 'video', url: 'https://cdn.example/a.mp4' },
  ]
  expect(read(results, { songs })).toEqual([
    { kind: 'audio', url: at('audio', 0), title: 'Harbour', text: 'Ice' },
    { kind: 'video', url: at('video', 0), title: 'Harbour', text: '' },
  ])
})

test('lyrics alone are a text', () => {
  expect(read([], { songs: { title: 'Ice', text: 'Ice, ice' } })).toEqual([
    { kind: 'text', url: '', title: 'Ice', text: 'Ice, ice' },
  ])
})

test('columns of another shape have no results', () => {
  expect(resultsOf({ ...task, results: 'null', data: 'x' })).toEqual([])
  expect(read({ kind: 'image' }, { songs: [7, null] })).toEqual([])
})

test('the code of a submission is the vendor’s, otherwise whether a channel accepted it', () => {
  expect(codeOf({ data: '{"submission":{"code":22}}', channel_id: 3 })).toBe(22)
  expect(codeOf({ data: '{}', channel_id: 3 })).toBe(1)
  expect(codeOf({ data: '{}', channel_id: 0 })).toBe(0)
})
