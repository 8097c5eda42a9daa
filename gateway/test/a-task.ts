import type { Insertable } from 'kysely'

import type { Tables } from '../src/platform/store/tables'

/** Returns the row of a song that a channel has accepted. */
export const aTask = (
  fields: Partial<Insertable<Tables['tasks']>> & { readonly public_id: string },
): Insertable<Tables['tasks']> => ({
  platform: 'suno',
  action: 'MUSIC',
  model: 'suno_music',
  user_id: 1,
  username: 'mei',
  token_id: 4,
  token_name: 'Web shop',
  group: 'default',
  channel_id: 3,
  channel_name: 'Music',
  status: 'IN_PROGRESS',
  submitted_at: 1_800_000_000_000,
  deadline_at: 1_800_086_400_000,
  poll_at: null,
  deleted_at: null,
  ...fields,
})
