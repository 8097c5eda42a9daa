import { expect, test } from 'bun:test'

import { drawing } from '../../test/task-row'
import { drawingShape } from './drawing-shape'

const open = { site: 'https://gateway.example', isForwarded: false, language: 'en' } as const
const forwarded = { ...open, isForwarded: true }

test('a drawing has the members of midjourney-proxy, each from its own column', () => {
  expect(drawingShape(drawing, open)).toEqual({
    id: 'task_1',
    action: 'IMAGINE',
    prompt: 'Eine Katze',
    promptEn: 'a cat',
    description: 'Submitted',
    state: 'mine',
    submitTime: 1000,
    startTime: 2000,
    finishTime: 3000,
    imageUrl: 'https://cdn.example/cat.png',
    status: 'SUCCESS',
    progress: '100%',
    failReason: '',
    buttons: [{ label: 'U1' }],
    properties: { finalPrompt: 'a cat' },
  })
})

test('a drawing without details of its vendor has empty ones', () => {
  const shape = drawingShape({ ...drawing, data: '{}', request: '{}', results: '[]' }, open)
  expect(shape).toMatchObject({ promptEn: 'Eine Katze', description: '', state: '', imageUrl: '' })
  expect(shape).toMatchObject({ buttons: [], properties: {} })
})

test('a moving drawing lists its videos and no pictures among them', () => {
  const results = JSON.stringify([
    { kind: 'image', url: 'https://cdn.example/still.png' },
    { kind: 'video', url: 'https://cdn.example/a.mp4' },
    { kind: 'video', url: 'https://cdn.example/b.mp4' },
    { kind: 'video' },
  ])
  expect(drawingShape({ ...drawing, results }, open)).toMatchObject({
    imageUrl: 'https://cdn.example/still.png',
    videoUrl: 'https://cdn.example/a.mp4',
    videoUrls: [{ url: 'https://cdn.example/a.mp4' }, { url: 'https://cdn.example/b.mp4' }],
  })
})

test('a state that midjourney-proxy does not know is shown as submitted', () => {
  expect(drawingShape({ ...drawing, status: 'UNKNOWN' }, open)).toMatchObject({ status: 'SUBMITTED' })
  expect(drawingShape({ ...drawing, status: 'IN_PROGRESS' }, open)).toMatchObject({ status: 'IN_PROGRESS' })
})

test.each([
  ['forwarded pictures', { status: 'SUCCESS' }, forwarded, 'https://gateway.example/mj/image/task_1'],
  [
    'unfinished ones with each poll',
    { status: 'IN_PROGRESS' },
    forwarded,
    'https://gateway.example/mj/image/task_1?rand=7',
  ],
  [
    'pictures whose own address is secret',
    { results: '[{"kind":"image","url":"https://cdn.example/cat.png","isSecret":true}]' },
    open,
    'https://gateway.example/mj/image/task_1',
  ],
  ['pictures without an address', { results: '[{"kind":"image"}]' }, open, 'https://gateway.example/mj/image/task_1'],
])('the site gives an address of its own to %s', (_case, values, shownAt, address) => {
  expect(drawingShape({ ...drawing, ...values }, shownAt)['imageUrl']).toBe(address)
})
