import { expect, test } from 'bun:test'

import { codeOf, resultsOf } from './task-results'

const read = (results: unknown, data: unknown = {}) =>
  resultsOf({ results: JSON.stringify(results), data: JSON.stringify(data) })

const mp3 = 'https://cdn.example/a.mp3'

test('files whose address holds a key, or that have none, are left out', () => {
  const results = [
    { kind: 'video', url: 'https://vendor.example/clip?key=k', isSecret: true },
    { kind: 'video', fileId: 'f1' },
    { kind: 'image', url: 'https://cdn.example/kite.png' },
  ]
  expect(read(results)).toEqual([{ kind: 'image', url: 'https://cdn.example/kite.png', title: '', text: '' }])
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
    { kind: 'audio', url: mp3, title: 'Harbour', text: 'Ice' },
    { kind: 'video', url: 'https://cdn.example/a.mp4', title: 'Harbour', text: '' },
  ])
})

test('lyrics alone are a text', () => {
  expect(read([], { songs: { title: 'Ice', text: 'Ice, ice' } })).toEqual([
    { kind: 'text', url: '', title: 'Ice', text: 'Ice, ice' },
  ])
})

test('columns of another shape have no results', () => {
  expect(resultsOf({ results: 'null', data: 'x' })).toEqual([])
  expect(read({ kind: 'image' }, { songs: [7, null] })).toEqual([])
})

test('the code of a submission is the vendor’s, otherwise whether a channel accepted it', () => {
  expect(codeOf({ data: '{"submission":{"code":22}}', channel_id: 3 })).toBe(22)
  expect(codeOf({ data: '{}', channel_id: 3 })).toBe(1)
  expect(codeOf({ data: '{}', channel_id: 0 })).toBe(0)
})
