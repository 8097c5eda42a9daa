import { describe, expect, test } from 'bun:test'

import { actionOfButton, changeIn, modelOfAction } from './drawing-actions'

describe('buttons', () => {
  test.each([
    ['MJ::JOB::upsample::2::3dbbd469-36af-4a0f-8f02-df6c579e7011', 'UPSCALE'],
    ['MJ::JOB::upsample_v6_2x_subtle::1::3dbbd469::SOLO', 'UPSCALE'],
    ['MJ::JOB::upsample_v5_4x::1::3dbbd469::SOLO', 'UPSCALE'],
    ['MJ::JOB::variation::4::3dbbd469', 'VARIATION'],
    ['MJ::JOB::high_variation::1::3dbbd469::SOLO', 'HIGH_VARIATION'],
    ['MJ::JOB::low_variation::1::3dbbd469::SOLO', 'LOW_VARIATION'],
    ['MJ::JOB::pan_left::1::3dbbd469::SOLO', 'PAN'],
    ['MJ::JOB::reroll::0::3dbbd469::SOLO', 'REROLL'],
    ['MJ::JOB::animate_high::1::3dbbd469::SOLO', 'VIDEO'],
    ['MJ::Outpaint::50::1::3dbbd469::SOLO', 'ZOOM'],
    ['MJ::CustomZoom::3dbbd469', 'CUSTOM_ZOOM'],
    ['MJ::Inpaint::1::3dbbd469::SOLO', 'INPAINT'],
    ['MJ::Picread::Retry', 'DESCRIBE'],
    ['MJ::Job::PicReader::1', 'IMAGINE'],
    ['MJ::BOOKMARK::3dbbd469', null],
    ['upsample', null],
    ['', null],
  ])('button %p is recognised by its custom id', (customId, action) =>
    expect<string | null>(actionOfButton(customId)).toBe(action),
  )
})

describe('changes as people type them', () => {
  test.each([
    ['1320098173412546 U2', { taskId: '1320098173412546', action: 'UPSCALE', index: 2 }],
    ['  task_a   v4 ', { taskId: 'task_a', action: 'VARIATION', index: 4 }],
    ['task_a R', { taskId: 'task_a', action: 'REROLL' }],
    ['task_a U5', null],
    ['task_a R1', null],
    ['task_a', null],
    ['U1', null],
    ['', null],
  ])('a simple change of %p names its action, or none', (content, change) =>
    expect<object | null>(changeIn(content)).toEqual(change),
  )
})

test('actions are priced and listed under the names of the family', () => {
  expect([modelOfAction('IMAGINE'), modelOfAction('CUSTOM_ZOOM'), modelOfAction('SWAP_FACE')]).toEqual([
    'mj_imagine',
    'mj_custom_zoom',
    'swap_face',
  ])
})
