import { day, spans, type Call, type Query } from './call'

/** Filters of both logs, of frequent and of rare values, and of several at once. */
const common: Record<string, Query> = {
  nothing: {},
  succeeded: { status: 'SUCCESS' },
  failed: { status: 'FAILURE' },
  'in progress': { status: 'IN_PROGRESS' },
  'state, none': { status: 'NOT_START' },
  'action, none': { action: 'NO_SUCH_ACTION' },
  channel: { channel_id: 7 },
  'channel, none': { channel_id: 9999 },
  'user, heavy': { username: 'user2' },
  'user, light': { username: 'user5000' },
  'user, none': { username: 'missing-user' },
  'user and failed': { username: 'user2', status: 'FAILURE' },
  'channel and failed': { channel_id: 7, status: 'FAILURE' },
  'user and channel': { username: 'user2', channel_id: 7 },
}

const drawings: Record<string, Query> = {
  ...common,
  'action, frequent': { action: 'IMAGINE' },
  'action, rare': { action: 'SWAP_FACE' },
  'rare action and failed': { action: 'SWAP_FACE', status: 'FAILURE' },
  'rare action and cancelled': { action: 'SWAP_FACE', status: 'CANCEL' },
  'channel and rare action': { channel_id: 7, action: 'SWAP_FACE' },
  'user and rare action': { username: 'user2', action: 'SWAP_FACE' },
}

const others: Record<string, Query> = {
  ...common,
  'action, frequent': { action: 'GENERATE' },
  'action, rare': { action: 'REMIX' },
  'rare action and failed': { action: 'REMIX', status: 'FAILURE' },
  'channel and rare action': { channel_id: 7, action: 'REMIX' },
  'user and rare action': { username: 'user2', action: 'REMIX' },
  songs: { platform: 'suno' },
  videos: { platform: 'video' },
  'videos that failed': { platform: 'video', status: 'FAILURE' },
  'a rare action of images': { platform: 'image', action: 'EDIT' },
}

const isOwn = (query: Query): boolean => !('username' in query) && !('channel_id' in query)

/** The rows that a page of the log asks for again while they are shown. */
const shownIds = Array.from({ length: 100 }, (_, at) => 990_001 + at).join('\n')

/** The lists of drawings and of other tasks: of all users and of one. */
export function taskCalls(now: number): Call[] {
  const today = now - (now % day)
  const milliseconds = ({ start_timestamp: from, end_timestamp: to }: Query): Query =>
    from === undefined ? {} : { start_timestamp: Number(from) * 1000, end_timestamp: Number(to) * 1000 }
  const ranges: Record<string, Query> = { ...spans(now), today: { start_timestamp: today, end_timestamp: today + day } }
  const { hour: _, ...request } = ranges
  const logs = [
    { name: 'drawings', path: '/api/mj', filters: drawings, time: milliseconds, idField: 'mj_id' },
    { name: 'tasks', path: '/api/task', filters: others, time: (range: Query) => range, idField: 'task_id' },
  ]
  return logs.flatMap(({ name, path, filters, time, idField }) => {
    const both = (what: string, query: Query): Call[] => [
      { name: `list of ${name}: ${what}`, path, query },
      ...(isOwn(query)
        ? [{ name: `list of own ${name}: ${what}`, path: `${path}/self`, query, as: 'user' } as const]
        : []),
    ]
    return [
      ...Object.entries(request).flatMap(([span, range]) =>
        Object.entries(filters).flatMap(([filter, required]) =>
          both(`${filter}, ${span}`, { ...required, ...time(range), page_size: 20 }),
        ),
      ),
      ...[1, 10, 99, 10_000].flatMap((p) => both(`page ${p}`, { p, page_size: 100 })),
      ...[10, 99].flatMap((p) => both(`page ${p} of the failed`, { p, page_size: 100, status: 'FAILURE' })),
      ...both('by the id of one', { [idField]: 'task_500000', page_size: 20 }),
      ...both('by an id that no task has', { [idField]: 'no-such-task', page_size: 20 }),
      ...both('the shown ones again', { ids: shownIds, page_size: 100 }),
    ]
  })
}
