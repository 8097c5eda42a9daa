import type { taskRoutes } from '@tollgate/contract'

const common = {
  id: 1,
  created_at: 1_795_000_000,
  user_id: 2,
  username: 'mei',
  token_name: 'Web shop',
  group: 'default',
  status: 'SUCCESS',
  progress: '100%',
  prompt: 'a kite over the harbour',
  fail_reason: '',
  quota: 50_000,
  held: 0,
  results: [],
  can_cancel: false,
  channel_id: 3,
  channel_name: 'Studio',
}

/** A finished drawing as administrators see it. */
export const aDrawing = (fields: Partial<taskRoutes.DrawingEntity> = {}): taskRoutes.DrawingEntity => ({
  ...common,
  mj_id: 'draw-1',
  model: 'mj_imagine',
  action: 'IMAGINE',
  code: 1,
  prompt_en: '',
  image_url: '',
  submit_time: 1_795_000_000_000,
  start_time: 1_795_000_001_000,
  finish_time: 1_795_000_030_000,
  ...fields,
})

/** A finished song as administrators see it. */
export const aSong = (fields: Partial<taskRoutes.TaskEntity> = {}): taskRoutes.TaskEntity => ({
  ...common,
  task_id: 'song-1',
  platform: 'suno',
  model: 'suno_music',
  action: 'MUSIC',
  parameters: {},
  parameters_left_out: [],
  submit_time: 1_795_000_000,
  start_time: 1_795_000_001,
  finish_time: 1_795_000_090,
  ...fields,
})
