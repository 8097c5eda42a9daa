import { describe, expect, test } from 'bun:test'

import { AppError } from '../../../platform/app-error'
import { readSong } from './song-request'

function refusalOf(action: string, body: Record<string, unknown>): unknown {
  try {
    return readSong(action, body)
  } catch (error) {
    return error instanceof AppError ? [error.code, error.params] : error
  }
}

describe('submissions of songs', () => {
  test('a description makes a song of the usual version', () => {
    const body = { gpt_description_prompt: 'a shanty about ice', make_instrumental: true }
    expect(readSong('music', body)).toEqual({
      action: 'MUSIC',
      model: 'suno_music',
      originId: null,
      body: { ...body, mv: 'chirp-v3-0' },
      prompt: 'a shanty about ice',
      texts: ['a shanty about ice'],
      notifyHook: '',
    })
  })

  test('a song goes on from the task that the client names', () => {
    const body = {
      prompt: '[Verse]\nIce',
      mv: 'chirp-v4',
      continue_clip_id: 'clip-1',
      continue_at: 60,
      task_id: 'task_a',
    }
    expect(readSong('MUSIC', body)).toMatchObject({ originId: 'task_a', body: { mv: 'chirp-v4', continue_at: 60 } })
  })

  test('lyrics are written from a prompt, and go on from nothing', () => {
    expect(readSong('lyrics', { prompt: 'ice', task_id: 'task_a' })).toMatchObject({
      action: 'LYRICS',
      model: 'suno_lyrics',
      originId: null,
      prompt: 'ice',
    })
  })

  test.each([
    ['music', {}, 'prompt'],
    ['lyrics', { gpt_description_prompt: 'ice' }, 'prompt'],
    ['music', { prompt: 'ice', continue_clip_id: 'clip-1' }, 'task_id'],
  ])('%s of %j is refused for its missing %s', (action, body, field) =>
    expect(refusalOf(action, body)).toEqual(['task.field_missing', { field }]),
  )

  test('an action that does not exist is refused', () =>
    expect(refusalOf('video', { prompt: 'ice' })).toEqual(['task.field_invalid', { field: 'action' }]))
})
