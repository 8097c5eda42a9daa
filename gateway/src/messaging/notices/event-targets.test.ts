import { defaultOptions, type EventTarget, type OptionValues } from '@tollgate/contract'
import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'

import type { Context } from '../../context'
import { eventOutgoing, isTaken, targetsOf } from './event-targets'

const now = Date.parse('2026-03-01T12:00:00.789Z')
const notice = {
  type: 'channel-disabled',
  title: 'Channel <b> & co was disabled',
  content: 'It failed: <at user_id="all"></at> @everyone',
  link: 'https://gate.example.com/admin/channels',
}

/** What is sent to a target on a site with these options. */
function outgoingFor(target: EventTarget, options: Partial<OptionValues>, message: object = notice) {
  const parts = { catalog: { current: { options: { ...defaultOptions, ...options } } }, clock: { now: () => now } }
  const outgoing = eventOutgoing(parts as Pick<Context, 'catalog' | 'clock'>, {
    id: 'id',
    target,
    body: JSON.stringify(message),
  })
  if (!outgoing) throw new Error('It is not set up')
  return { url: outgoing.url, body: JSON.parse(outgoing.body) as Record<string, unknown>, secret: outgoing.secret }
}

const lines = [notice.title, notice.content, notice.link].join('\n')
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64')

test('Slack gets a text in which nothing calls anyone', () => {
  const { url, body } = outgoingFor('slack', { EventSlackUrl: 'https://hooks.slack.com/services/T/B/x' })
  expect(url).toBe('https://hooks.slack.com/services/T/B/x')
  expect(body).toEqual({
    text: 'Channel &lt;b&gt; &amp; co was disabled\nIt failed: &lt;at user_id="all"&gt;&lt;/at&gt; @everyone\nhttps://gate.example.com/admin/channels',
  })
})

test('Feishu gets a text, with the time and a signature where it has a secret', () => {
  const EventFeishuUrl = 'https://open.feishu.cn/open-apis/bot/v2/hook/x'
  const text = lines.replaceAll('<', '＜')
  expect(outgoingFor('feishu', { EventFeishuUrl }).body).toEqual({ msg_type: 'text', content: { text } })
  const { url, body } = outgoingFor('feishu', { EventFeishuUrl, EventFeishuSecret: 'SEC' })
  const timestamp = '1772366400'
  expect([url, body]).toEqual([
    EventFeishuUrl,
    { timestamp, sign: hmac(`${timestamp}\nSEC`, ''), msg_type: 'text', content: { text } },
  ])
})

test('DingTalk gets a text, with the milliseconds and a signature in the address where it has a secret', () => {
  const EventDingTalkUrl = 'https://oapi.dingtalk.com/robot/send?access_token=x'
  expect(outgoingFor('dingtalk', { EventDingTalkUrl })).toMatchObject({
    url: EventDingTalkUrl,
    body: { msgtype: 'text', text: { content: lines } },
  })
  const { searchParams } = new URL(outgoingFor('dingtalk', { EventDingTalkUrl, EventDingTalkSecret: 'SEC' }).url)
  expect(Object.fromEntries(searchParams)).toEqual({
    access_token: 'x',
    timestamp: String(now),
    sign: hmac('SEC', `${now}\nSEC`),
  })
})

test('WeCom gets at most 2048 bytes of text, and no half character', () => {
  const { body } = outgoingFor(
    'wecom',
    { EventWeComUrl: 'https://qyapi.weixin.qq.com/x' },
    { ...notice, content: '渠'.repeat(2000) },
  )
  const { content } = (body as { text: { content: string } }).text
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2048)
  expect(Buffer.byteLength(content)).toBeGreaterThan(2044)
  expect(content.endsWith('渠')).toBe(true)
})

test('Telegram is called with the token of the bot and gets at most 4096 characters', () => {
  const options = { EventTelegramToken: '12:ab', EventTelegramChat: '-100' }
  expect(outgoingFor('telegram', options)).toMatchObject({
    url: 'https://api.telegram.org/bot12:ab/sendMessage',
    body: { chat_id: '-100', text: lines },
  })
  const { body } = outgoingFor('telegram', options, { ...notice, content: 'x'.repeat(9000) })
  expect((body as { text: string }).text).toHaveLength(4096)
})

test('Discord gets at most 2000 characters, in which nothing calls anyone', () => {
  const { body } = outgoingFor(
    'discord',
    { EventDiscordUrl: 'https://discord.com/api/webhooks/1/x' },
    { ...notice, content: 'x'.repeat(9000) },
  )
  expect((body as { content: string }).content).toHaveLength(2000)
  expect(body['allowed_mentions']).toEqual({ parse: [] })
})

test('a program of the operator’s gets the event as it is stored, signed with its secret', () => {
  const options = { EventWebhookUrl: 'https://ops.example.com/in', EventWebhookSecret: 'whsec' }
  expect(outgoingFor('json', options)).toEqual({ url: 'https://ops.example.com/in', body: notice, secret: 'whsec' })
})

test('targets are those that are set up, Telegram only with its chat', () => {
  expect(targetsOf(defaultOptions)).toEqual([])
  expect(targetsOf({ ...defaultOptions, EventTelegramToken: 'x' })).toEqual([])
  const all = {
    EventWebhookUrl: 'https://a.com',
    EventSlackUrl: 'https://a.com',
    EventFeishuUrl: 'https://a.com',
    EventDingTalkUrl: 'https://a.com',
    EventWeComUrl: 'https://a.com',
    EventTelegramToken: 'x',
    EventTelegramChat: 'y',
    EventDiscordUrl: 'https://a.com',
  }
  expect(targetsOf({ ...defaultOptions, ...all })).toEqual([
    'json',
    'slack',
    'feishu',
    'dingtalk',
    'wecom',
    'telegram',
    'discord',
  ])
})

test.each([
  ['json', 204, '', true],
  ['json', 500, '', false],
  ['slack', 200, 'ok', true],
  ['slack', 404, 'no_service', false],
  ['feishu', 200, '{"code":0,"msg":"success"}', true],
  ['feishu', 200, '{"StatusCode":0,"StatusMessage":"success"}', true],
  ['feishu', 200, '{"code":19021,"msg":"sign match fail"}', false],
  ['dingtalk', 200, '{"errcode":0,"errmsg":"ok"}', true],
  ['dingtalk', 200, '{"errcode":310000,"errmsg":"sign not match"}', false],
  ['dingtalk', 200, '<html>', false],
  ['wecom', 200, '{"errcode":0,"errmsg":"ok"}', true],
  ['wecom', 200, '{"errcode":93000,"errmsg":"invalid webhook url"}', false],
  ['telegram', 200, '{"ok":true}', true],
  ['telegram', 400, '{"ok":false}', false],
  ['discord', 204, '', true],
] as const)('%s that responds with %d %s has taken the event: %p', (target, status, response, taken) => {
  expect(isTaken(target, status, response)).toBe(taken)
})
