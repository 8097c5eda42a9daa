import type { Standing } from '../src/domain/limits/standings-data'

/** Where a limit of calls a day stands, for tests. */
export const aStanding = (fields: Partial<Standing> = {}): Standing => ({
  id: 1,
  owner: 'token',
  subject_id: 7,
  name: 'Daily',
  measure: 'requests',
  span: 'day',
  limit: 10,
  used: 7,
  remaining: 3,
  resets_at: null,
  ...fields,
})
