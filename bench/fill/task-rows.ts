import { sql } from 'kysely'

import { caller, insert, quoteSql, spanSeconds, type Fill } from './rows'

/** A number below `count` that follows from the row's alone; other columns use another `salt`. */
const one = (salt: number, count: number): string => `(((i + ${salt}) * 2654435761 % 4294967296) / 4096 % ${count})`

/** What a row's number below 100 stands for: the shares of each value, in percent. */
function pickByShare(number: string, shares: Readonly<Record<string, number>>): string {
  let sum = 0
  const cases = Object.entries(shares).map(
    ([value, share]) => `when ${number} < ${(sum += share)} then ${quoteSql(value)}`,
  )
  return `case ${cases.join(' ')} else ${quoteSql(Object.keys(shares)[0] ?? '')} end`
}

const platform = pickByShare(one(1, 100), { mj: 40, suno: 20, video: 20, image: 10, response: 10 })

/** The latest two in a thousand have not ended. */
const openOf = (count: number): number => Math.ceil(count / 500)
/** What a drawing shows of itself: its buttons. */
const buttons = JSON.stringify({
  buttons: ['U1', 'U2', 'U3', 'U4', 'V1', 'V2', 'V3', 'V4'].map((label) => ({
    customId: `MJ::JOB::${label}::0123456789abcdef0123456789abcdef`,
    emoji: '',
    label,
    type: 2,
    style: 2,
  })),
})
const prompt = 'a lighthouse on a cliff above a frozen harbour at dawn, seen from the sea, with gulls and low clouds'
/** After the end of any measurement, so that no vendor is polled meanwhile. */
const polledInMs = 30 * 86_400_000
const held = 500

/** Drawings, songs, videos, images and responses of the same users as the calls, with what is held for those that have not ended. */
export const tasks: Fill = async (database, { tasks: count, users, tokens, channels, now }) => {
  const isOpen = `i > ${count - openOf(count)}`
  const user = caller(users)
  const channel = `(1 + ${one(5, Math.max(1, Math.min(channels, 40)))})`
  const submittedAt = `(${now - spanSeconds} + (i * ${spanSeconds}) / ${Math.max(count, 1)}) * 1000`
  const poll = (now * 1000 + polledInMs).toFixed(0)
  const unlessOpen = (value: string, open: string) => `case when ${isOpen} then ${open} else ${value} end`
  await insert(database, 'tasks', count, {
    public_id: `'task_' || i`,
    platform,
    action: `case ${platform} when 'mj' then ${pickByShare(one(2, 100), { IMAGINE: 50, UPSCALE: 28, VARIATION: 12, DESCRIBE: 6, BLEND: 3, SWAP_FACE: 1 })}
      when 'suno' then ${pickByShare(one(2, 100), { MUSIC: 90, LYRICS: 10 })} when 'video' then ${pickByShare(one(2, 100), { GENERATE: 97, REMIX: 3 })}
      when 'image' then ${pickByShare(one(2, 100), { GENERATE: 80, EDITS: 20 })} else 'RESPOND' end`,
    model: `${platform} || '-model-' || ${one(3, 4)}`,
    user_id: user,
    username: `'user' || (${user})`,
    token_id: `1 + i % ${tokens}`,
    token_name: `'key-' || i % 50`,
    '"group"': quoteSql('default'),
    channel_id: channel,
    channel_name: `'channel ' || ${channel}`,
    vendor_id: `'vendor-' || i`,
    status: unlessOpen(
      pickByShare(one(4, 100), { SUCCESS: 90, FAILURE: 9, CANCEL: 1 }),
      pickByShare(one(4, 100), { IN_PROGRESS: 70, QUEUED: 20, SUBMITTED: 9, MODAL: 1 }),
    ),
    progress: unlessOpen('100', '50'),
    prompt: `${quoteSql(prompt)} || i`,
    data: `case ${platform} when 'mj' then ${quoteSql(buttons)} else '{}' end`,
    results: unlessOpen(`'[{"kind":"image","url":"https://files.example/' || i || '.png"}]'`, quoteSql('[]')),
    quota: unlessOpen(`${held}`, '0'),
    submitted_at: submittedAt,
    started_at: `${submittedAt} + 4000`,
    finished_at: unlessOpen(`${submittedAt} + 60000`, '0'),
    deadline_at: poll,
    poll_at: unlessOpen('null', poll),
    deleted_at: unlessOpen(`case when ${one(6, 50)} = 0 then ${now * 1000} else null end`, 'null'),
  })
  const { query } = database
  await sql`insert into holds (id, user_id, token_id, is_token_limited, amount, created_at)
    select public_id, user_id, token_id, 0, ${sql.lit(held)}, ${sql.lit(now)} from tasks where poll_at is not null`.execute(
    query,
  )
  await sql`update users set quota = users.quota - held.quota
    from (select user_id, sum(amount) as quota from holds group by user_id) as held
    where users.id = held.user_id`.execute(query)
}
