import { defaultOptions } from '@tollgate/contract'
import { describe, expect, test } from 'bun:test'

import { AppError } from '../../../platform/app-error'
import { isDrawingOperation, readDrawing } from './drawing-request'

const read = (operation: string, body: Record<string, unknown>) => readDrawing(operation, body, defaultOptions)

function refusalOf(operation: string, body: Record<string, unknown>): unknown {
  try {
    return read(operation, body)
  } catch (error) {
    return error instanceof AppError ? [error.code, error.params] : error
  }
}

describe('submissions of drawings', () => {
  test.each([
    ['submit/imagine', { prompt: 'ice', base64Array: [] }, { action: 'IMAGINE', model: 'mj_imagine', prompt: 'ice' }],
    ['submit/shorten', { prompt: 'ice' }, { action: 'SHORTEN', model: 'mj_shorten' }],
    ['submit/describe', { link: 'https://a.example/1.png' }, { action: 'DESCRIBE', model: 'mj_describe' }],
    ['submit/describe', { base64Array: ['data:image/png;base64,AAAA'] }, { action: 'DESCRIBE' }],
    ['submit/blend', { base64Array: ['a', 'b'], dimensions: 'SQUARE' }, { action: 'BLEND', model: 'mj_blend' }],
    ['submit/upload-discord-images', { base64Array: ['a'] }, { action: 'UPLOAD', model: 'mj_upload' }],
    ['submit/change', { taskId: 'a', action: 'UPSCALE', index: 4 }, { action: 'UPSCALE', originId: 'a' }],
    ['submit/change', { taskId: 'a', action: 'REROLL' }, { action: 'REROLL', model: 'mj_reroll', originId: 'a' }],
    ['submit/action', { taskId: 'a', customId: 'MJ::Outpaint::50::1::h' }, { action: 'ZOOM', originId: 'a' }],
    ['submit/modal', { taskId: 'a', maskBase64: 'b' }, { action: 'MODAL', model: 'mj_modal', originId: 'a' }],
    ['submit/modal', { taskId: 1320098173412546, prompt: 'ice' }, { originId: '1320098173412546', prompt: 'ice' }],
    ['submit/edits', { prompt: 'snow', image: 'https://a.example/1.png' }, { action: 'EDITS', model: 'mj_edits' }],
    ['submit/video', { image: 'https://a.example/1.png' }, { action: 'VIDEO', model: 'mj_video', originId: null }],
    ['submit/video', { taskId: 'a', index: 0, action: 'extend' }, { action: 'VIDEO', originId: 'a' }],
    ['insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, { action: 'SWAP_FACE', model: 'swap_face' }],
  ])('%s of %j is read', (operation, body, expected) => {
    expect(isDrawingOperation(operation)).toBe(true)
    expect(read(operation, body)).toMatchObject(expected)
  })

  test('a change as people type it becomes one with an index', () =>
    expect(read('submit/simple-change', { content: 'task_a V3', state: 'note' })).toMatchObject({
      action: 'VARIATION',
      originId: 'task_a',
      state: 'note',
      body: { taskId: 'task_a', action: 'VARIATION', index: 3, state: 'note' },
    }))

  test.each([
    ['submit/imagine', { prompt: '  ' }, ['task.field_missing', { field: 'prompt' }]],
    ['submit/change', { action: 'UPSCALE', index: 1 }, ['task.field_missing', { field: 'taskId' }]],
    ['submit/change', { taskId: 'a', action: 'UPSCALE' }, ['task.field_invalid', { field: 'index' }]],
    ['submit/change', { taskId: 'a', action: 'UPSCALE', index: 5 }, ['task.field_invalid', { field: 'index' }]],
    ['submit/change', { taskId: 'a', action: 'IMAGINE' }, ['task.field_invalid', { field: 'action' }]],
    ['submit/simple-change', { content: 'task_a' }, ['task.field_invalid', { field: 'content' }]],
    ['submit/action', { taskId: 'a' }, ['task.field_missing', { field: 'customId' }]],
    ['submit/action', { taskId: 'a', customId: 'MJ::BOOKMARK::h' }, ['task.field_invalid', { field: 'customId' }]],
    ['submit/describe', { base64: '' }, ['task.field_missing', { field: 'base64' }]],
    ['submit/blend', { base64Array: ['a'] }, ['task.field_invalid', { field: 'base64Array' }]],
    ['submit/blend', { base64Array: ['a', 'b'], dimensions: 'WIDE' }, ['task.field_invalid', { field: 'dimensions' }]],
    ['insight-face/swap', { sourceBase64: 'a' }, ['task.field_missing', { field: 'targetBase64' }]],
    ['submit/video', {}, ['task.field_missing', { field: 'prompt' }]],
  ])('%s of %j is refused', (operation, body, refusal) => expect(refusalOf(operation, body)).toEqual(refusal))

  test('the client’s hook and its choice among accounts are not passed on', () => {
    const sent = { prompt: 'ice', notifyHook: 'https://app.example/hook', accountFilter: { instanceId: '1' } }
    expect(read('submit/imagine', sent)).toMatchObject({ body: { prompt: 'ice' }, notifyHook: sent.notifyHook })
    expect(Object.keys(read('submit/imagine', sent).body)).toEqual(['prompt'])
    const options = { ...defaultOptions, MjAccountFilterEnabled: true }
    expect(readDrawing('submit/imagine', sent, options).body).toEqual({
      prompt: 'ice',
      accountFilter: sent.accountFilter,
    })
  })

  test.each([
    ['a cat --fast', 'a cat'],
    ['a cat --RELAX --ar 16:9', 'a cat --ar 16:9'],
    ['--turbo a cat', 'a cat'],
    ['a cat --faster', 'a cat --faster'],
    ['a --fast-food ad', 'a --fast-food ad'],
    ['a breakfast', 'a breakfast'],
  ])('modes are removed from %p where the site says so', (prompt, left) => {
    expect(read('submit/imagine', { prompt }).body).toEqual({ prompt })
    const options = { ...defaultOptions, MjModeClearEnabled: true }
    expect(readDrawing('submit/imagine', { prompt }, options)).toMatchObject({ body: { prompt: left }, prompt })
  })
})
