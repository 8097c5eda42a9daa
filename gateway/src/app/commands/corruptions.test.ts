import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { tokenRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { eventually } from '../../../test/eventually'
import { aCharge } from '../../../test/ledger'
import { kinds } from '../../../test/kinds'
import { aSpentSite, type SpentSite } from '../../../test/spent-site'
import { sentenceOf } from './difference'

setDefaultTimeout(120_000)

interface Corruption {
  readonly what: string
  readonly by: readonly string[]
  /** A part of a sentence about it. */
  readonly sentence: RegExp
}

const ann = `(select min(user_id) from charges where request_id = 'ann-1')`
const ben = `(select min(user_id) from charges where request_id = 'ben-1')`
/** A credit together with the balance. */
const forgeCredit = (id: string, kind: string, amount = 1_000_000) => [
  `insert into credits (id, user_id, kind, amount, created_at, detail)
    select ${id}, id, '${kind}', ${amount}, (select min(created_at) from audit_log) + 1, '' from users where id = ${ann}`,
  `update users set quota = quota + ${amount} where id = ${ann}`,
]
const copyOf = (table: string, columns: string, changed: string) =>
  `insert into ${table} (${columns}) select ${changed} from ${table}`
const chargeColumns = 'request_id, user_id, token_id, channel_id, quota, created_at'
const logColumns = `request_id, created_at, type, user_id, username, token_id, token_name, model_name, "group", channel_id,
  channel_name, is_stream, use_time, prompt_tokens, completion_tokens, quota, content, client_ip, other`

const optionChange = 'key, created_at, request_id, user_id, username, before, after'

const corruptions: readonly Corruption[] = [
  {
    what: 'a balance that grew by 1',
    by: [`update users set quota = quota + 1 where id = ${ann}`],
    sentence: /^user \d+: free \+ leased \+ held \+ used .* difference 1$/,
  },
  {
    what: 'a balance that fell by 1',
    by: [`update users set quota = quota - 1 where id = ${ann}`],
    sentence: /^user \d+: free \+ leased \+ held \+ used .* difference -1$/,
  },
  {
    what: 'used quota that fell by 1',
    by: [`update users set used_quota = used_quota - 1 where id = ${ann}`],
    sentence: /^user \d+: used quota 299, in the hourly sums 300/,
  },
  {
    what: 'a balance that moved to another user',
    by: [
      `update users set quota = quota - 500 where id = ${ann}`,
      `update users set quota = quota + 500 where id = ${ben}`,
    ],
    sentence: /difference -500$/,
  },
  {
    what: 'a charge that is there twice',
    by: [
      `${copyOf('charges', chargeColumns, `'again', user_id, token_id, channel_id, quota, created_at`)} where request_id = 'ann-1'`,
    ],
    sentence: /request again: rows in the log 0, charges 1/,
  },
  {
    what: 'a charge that is gone',
    by: [`delete from charges where request_id = 'ann-1'`],
    sentence: /request ann-1: rows in the log 1, charges 0/,
  },
  {
    what: 'a charge of another amount',
    by: [`update charges set quota = 101 where request_id = 'ann-1'`],
    sentence: /request ann-1: quota in the log 100, charged 101/,
  },
  {
    what: 'a credit that is gone',
    by: [`delete from credits where kind = 'check-in'`],
    sentence: /free \+ leased \+ held \+ used/,
  },
  {
    what: 'a forged redemption',
    by: forgeCredit(`'redemption:99:1'`, 'redemption'),
    sentence: /credited for codes 1007000, in recorded uses 7000/,
  },
  { what: 'a forged top-up', by: forgeCredit(`'order:99'`, 'top-up'), sentence: /credited for top-ups/ },
  {
    what: 'a forged bonus',
    by: forgeCredit(`'bonus:99'`, 'bonus'),
    sentence: /^order 0: credited as a bonus 1000000, due by what was paid and paid back 0/,
  },
  {
    what: 'a forged commission',
    by: forgeCredit(`'commission:99'`, 'commission'),
    sentence: /credited as commission 1000000, in settled commissions 0/,
  },
  {
    what: 'a forged import',
    by: forgeCredit(`'import:' || id`, 'import'),
    sentence: /credit import:\d+: credited 1000000, accounted for by its cause 0/,
  },
  {
    what: 'a forged expiry',
    by: forgeCredit(`'expiry:99:1'`, 'expiry', -5),
    sentence: /taken back of expired quota 5, in ended redemptions 0/,
  },
  {
    what: 'a forged credit under the id of another kind',
    by: forgeCredit(`'order:98'`, 'commission'),
    sentence: /credit order:98: credited 1000000, accounted for by its cause 0/,
  },
  {
    what: 'used quota of a key that fell by 100',
    by: [`update tokens set used_quota = used_quota - 100 where name = 'limited'`],
    sentence: /^token \d+: used quota 200, charged 300/,
  },
  {
    what: 'a batch that is not run',
    by: ['update batches set claimed_until = null'],
    sentence: /^task \d+: batches that have not ended 1, batches that are run 0/,
  },
  {
    what: 'a line of a batch that is gone',
    by: ['delete from batch_lines where state = 0'],
    sentence: /^task \d+: calls of the batch 2, lines 1/,
  },
  {
    what: 'a line of a batch that would be made again',
    by: ['update batch_lines set state = 0'],
    sentence: /^task \d+: calls of the batch that succeeded 1, lines with a response 0/,
  },
  {
    what: 'a call of a batch without its charge',
    by: [`delete from charges where request_id like 'batch%'`],
    sentence: /^task \d+: calls of the batch that succeeded 1, charges 0/,
  },
  {
    what: 'a piece of a file that is gone',
    by: ['delete from file_chunks'],
    sentence: /^file \d+: bytes with what encrypts them 33, in its pieces 0/,
  },
  {
    what: 'a stored turn that counts less than it takes',
    by: ['update response_turns set bytes = bytes - 1'],
    sentence: /^user \d+: bytes recorded of stored turns \d+, in their texts \d+, difference -1$/,
  },
  {
    what: 'a stored turn that was cut',
    by: ['update response_turns set sealed = substr(sealed, 1, 100)'],
    sentence: /^user \d+: bytes recorded of stored turns \d+, in their texts 38, difference \d+$/,
  },
  {
    what: 'a conversation that counts more than it takes',
    by: ['update conversations set bytes = bytes + 1'],
    sentence: /^user \d+: bytes recorded of conversations \d+, in their texts \d+, difference 1$/,
  },
  {
    what: 'an item of a conversation that is gone',
    by: ['delete from conversation_items'],
    sentence: /^user \d+: bytes recorded of conversations \d+, in their texts \d+, difference \d+$/,
  },
  {
    what: 'a conversation that is gone while its items are there',
    by: ['delete from conversations'],
    sentence: /^conversation item \d+: rows 1, in a conversation 0, difference 1$/,
  },
  {
    what: 'a hold that is gone',
    by: ['delete from holds'],
    sentence: /^user \d+: holds 0, tasks that have not ended 1/,
  },
  {
    what: 'a hold that grew',
    by: ['update holds set amount = amount + 1000'],
    sentence: /^user \d+: free .* difference 1000$/,
  },
  {
    what: 'a hold that went back while its task goes on',
    by: [
      `update users set quota = quota + 5000 where id = ${ann}`,
      `update tokens set remain_quota = remain_quota + 5000 where name = 'limited'`,
      'delete from holds',
    ],
    sentence: /holds 0, tasks that have not ended 1/,
  },
  {
    what: 'a period of a window that has more than its limit',
    by: ['update window_periods set free = free + 1000000'],
    sentence: /^period \d+: free \+ leased \+ held of its window \d+, at most 100000, difference \d+$/,
  },
  {
    what: 'a period of a window that is gone though workers hold some of it',
    by: [`update leases set amount = 7 where kind = 'window'`, 'delete from window_periods'],
    sentence: /^period \d+: leased of a window 7, in no period 0, difference 7$/,
  },
  {
    what: 'a period of a window that is gone though a task holds some of it',
    by: ['delete from window_periods'],
    sentence: /^period \d+: held of a window 5000, in no period 0, difference 5000$/,
  },
  { what: 'a task that is gone', by: ['delete from tasks'], sentence: /holds 1, tasks that have not ended 0/ },
  {
    what: 'an hourly sum that grew',
    by: [`update rollups set quota = quota + 5 where user_id = ${ann}`],
    sentence: /quota in the hourly sum 305, charged 300/,
  },
  {
    what: 'an hourly sum and its user that grew',
    by: [
      `update rollups set quota = quota + 5 where user_id = ${ann}`,
      `update users set used_quota = used_quota + 5, quota = quota - 5 where id = ${ann}`,
    ],
    sentence: /quota in the hourly sum 305, charged 300/,
  },
  {
    what: 'a code that is unused again',
    by: ['update redemption_codes set used_count = 0, status = 1'],
    sentence: /^redemption code \d+: uses counted 0, uses recorded 1/,
  },
  {
    what: 'a use of a code that is gone',
    by: ['delete from redemption_uses'],
    sentence: /credited for codes 7000, in recorded uses 0/,
  },
  {
    what: 'used quota of a channel that grew',
    by: ['update channels set used_quota = used_quota + 1'],
    sentence: /^channel \d+: used quota 601, in the hourly sums 600/,
  },
  {
    what: 'a purse that grew',
    by: [`update users set aff_quota = aff_quota + 10 where id = ${ann}`],
    sentence: /in the purse and moved to the balance 60, earned 50/,
  },
  {
    what: 'a purse and its total that grew',
    by: [`update users set aff_quota = aff_quota + 10, aff_history_quota = aff_history_quota + 10 where id = ${ann}`],
    sentence: /earned by invitations 60, in rewarded invitations 50/,
  },
  {
    what: 'a lease of a dead worker',
    by: [
      `insert into leases (id, worker_id, kind, ref_id, amount, created_at) select 'dead', 'dead', 'user', id, 700, 1 from users where id = ${ann}`,
    ],
    sentence: /free .* difference 700$/,
  },
  {
    what: 'a user who is gone',
    by: [`delete from invitations`, `delete from users where id = ${ben}`],
    sentence: /^user \d+: free \+ leased \+ held \+ used \d+, credited 2000530/,
  },
  {
    what: 'a log row that is gone',
    by: [`delete from logs where request_id = 'ann-1'`],
    sentence: /request ann-1: rows in the log 0, charges 1/,
  },
  {
    what: 'all log rows of a user that are gone',
    by: [`delete from logs where type = 2 and user_id = ${ann}`],
    sentence: /request ann-2: rows in the log 0, charges 1/,
  },
  {
    what: 'a log row of another amount',
    by: [`update logs set quota = 99 where request_id = 'ann-1'`],
    sentence: /request ann-1: quota in the log 99, charged 100/,
  },
  {
    what: 'a log row that is there twice',
    by: [`${copyOf('logs', logColumns, logColumns)} where request_id = 'ann-1'`],
    sentence: /request ann-1: rows in the log 2, charges 1/,
  },
  {
    what: 'a key that has 100,000 more',
    by: [`update tokens set remain_quota = remain_quota + 100000 where name = 'limited'`],
    sentence: /^token \d+: free \+ leased \+ held \+ used 1000000, given 900000/,
  },
  {
    what: 'a forged credit of an administrator',
    by: forgeCredit(`'admin:0123456789'`, 'admin'),
    sentence: /credit admin:0123456789: credited 1000000, accounted for by its cause 0/,
  },
  {
    what: 'a forged check-in',
    by: forgeCredit(`'check-in:' || id || ':2026-02-28'`, 'check-in'),
    sentence: /credit check-in:\d+:2026-02-28: credited 1000000, accounted for by its cause 1000/,
  },
]

describe.each(kinds)('corrupted books (%s)', (kind) => {
  let site: SpentSite
  beforeAll(async () => {
    site = await aSpentSite(kind)
  })
  afterAll(() => site[Symbol.asyncDispose]())

  /** Resolves with the sentences about the books after these statements, which are undone. */
  async function sentencesAfter(statements: readonly string[]): Promise<string[]> {
    let sentences: string[] = []
    const undo = new Error('undo')
    await site.ctx.database.query
      .transaction()
      .execute(async (transaction) => {
        for (const statement of statements) await sql.raw(statement).execute(transaction)
        sentences = (await site.differences(transaction)).map(sentenceOf)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return sentences
  }

  test('books with every kind of credit and spending agree', async () => {
    expect(await sentencesAfter([])).toEqual([])
  })

  test.each(corruptions)('$what is noticed', async ({ by, sentence }) => {
    expect(await sentencesAfter(by)).toContainEqual(expect.stringMatching(sentence))
  })

  const more: readonly Corruption[] = [
    {
      what: 'a second credit of the set-up',
      by: [
        "insert into setups (id, version, initialized_at) values (1, '1', 1)",
        ...forgeCredit(`'setup:' || id`, 'setup'),
      ],
      sentence: /credit setup:\d+: credited 1000000, accounted for by its cause 0/,
    },
    {
      what: 'a gift for a new user that was never given',
      by: forgeCredit(`'registration:' || id`, 'registration'),
      sentence: /credit registration:\d+: credited 1000000, accounted for by its cause 0/,
    },
    { what: 'a credit of an unknown kind', by: forgeCredit(`'x'`, 'bonus'), sentence: /credit x: credited 1000000/ },
    {
      what: 'a change of many users that named others',
      by: forgeCredit(
        `'bulk:' || (select min(user_id) from audit_log where action = 'user.bulk') || ':spring-gift:99'`,
        'admin',
      ),
      sentence: /credit bulk:\d+:spring-gift:99: credited 1000000/,
    },
    {
      what: 'a limited key that has less',
      by: [`update tokens set remain_quota = remain_quota - 1 where name = 'limited'`],
      sentence: /given 900000, difference -1/,
    },
  ]
  test.each(more)('$what is noticed as well', async ({ by, sentence }) => {
    expect(await sentencesAfter(by)).toContainEqual(expect.stringMatching(sentence))
  })

  const innocent: readonly { what: string; by: readonly string[] }[] = [
    {
      what: 'a call while no rows were written',
      by: [
        `insert into option_changes (${optionChange}) values ('LogConsumeEnabled', 1, '', 0, '', 'true', 'false')`,
        `insert into options (key, value) values ('LogConsumeEnabled', 'false')`,
        `delete from logs where request_id = 'ann-1'`,
      ],
    },
    {
      what: 'a row that was removed with all older ones',
      by: [
        `insert into site_notes (name, value, updated_at) values ('log-kept-since', '99999999999', 1)`,
        'delete from logs',
      ],
    },
    {
      what: 'quota that a key used while it was unlimited',
      by: [`update tokens set was_unlimited = 1, remain_quota = remain_quota + 100 where name = 'limited'`],
    },
    {
      what: 'a check-in from before its range was changed',
      by: [
        `insert into option_changes (${optionChange}) values ('CheckInQuota', 1900000000, '', 0, '', '1000', '5')`,
        `update options set value = '5' where key = 'CheckInQuota'`,
      ],
    },
  ]
  test.each(innocent)('$what does not count as a difference', async ({ by }) => {
    expect((await sentencesAfter(by)).filter((sentence) => !sentence.startsWith('measures'))).toEqual([])
  })

  test('a key that is given more and less, and is unlimited for a while, agrees', async () => {
    const { ctx, ann, tokens, now } = site
    const { id } = await tokens.call(tokenRoutes.createToken, {
      body: { name: 'changing', remain_quota: 5000, unlimited_quota: false },
    })
    const edit = (body: object) => tokens.call(tokenRoutes.updateToken, { query: {}, body: { id, ...body } })
    const spend = async (requestId: string, isTokenLimited: boolean) => {
      const reservation = await ctx.ledger.reserve(requestId, { userId: ann.id, tokenId: id, isTokenLimited }, 100)
      await ctx.ledger.charge(reservation, aCharge(40, { createdAt: now() }))
      const charges = ctx.database.query.selectFrom('charges').select('quota').where('request_id', '=', requestId)
      await eventually(() => charges.executeTakeFirst())
    }
    await spend('limited', true)
    await edit({ remain_quota: 700 })
    await edit({ unlimited_quota: true })
    await spend('unlimited', false)
    await edit({ unlimited_quota: false, remain_quota: 900, remain_quota_read: 700 })
    await spend('limited-again', true)
    expect(await sentencesAfter([])).toEqual([])
    const key = `where id = ${id}`
    expect(await sentencesAfter([`update tokens set remain_quota = remain_quota - 41 ${key}`])).toEqual([
      `token ${id}: free + leased + held + used 939, given 940, difference -1`,
    ])
  })
})
