import { eventTargets, type EventTarget, type OptionValues } from '@tollgate/contract'
import { createHmac } from 'node:crypto'
import { z } from 'zod'

import type { Context } from '../../context'
import type { Outgoing } from './send-webhook'

/** What a person reads. */
const EventText = z.object({ title: z.string(), content: z.string(), link: z.string() })
export type EventText = z.output<typeof EventText>

interface TargetRequest {
  readonly url: string
  readonly body: unknown
}

interface Target {
  /** Returns the request for a text; null where the site has no such target. */
  request(text: EventText, options: OptionValues, nowMs: number): TargetRequest | null
  /** Some respond with 200 to what they refuse. Default: the status decides. */
  accepts?(response: string): boolean
}

const sha256 = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64')

const plain = ({ title, content, link }: EventText): string => [title, content, link].filter(Boolean).join('\n')

/** `<at user_id="all">` in a text calls everyone, and parts of it come from strangers. */
const withoutTags = (text: string): string => text.replaceAll('<', '＜')

/** Returns the beginning of a text that has at most this many bytes as UTF-8. */
const cutBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\uFFFD$/, '')

/** Returns whether a JSON response has this number as 0. */
const isZero =
  (name: string) =>
  (response: string): boolean => {
    try {
      const parsed: unknown = JSON.parse(response)
      return typeof parsed === 'object' && parsed !== null && name in parsed && parsed[name as keyof object] === 0
    } catch {
      return false
    }
  }

/** The forms that each target understands. */
const targets: Readonly<Record<Exclude<EventTarget, 'json'>, Target>> = {
  /** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
  slack: {
    request: (text, { EventSlackUrl: url }) =>
      url === ''
        ? null
        : {
            url,
            body: {
              text: plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
            },
          },
  },
  /** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot: the key of the signature is what others sign. */
  feishu: {
    request(text, { EventFeishuUrl: url, EventFeishuSecret: secret }, nowMs) {
      if (url === '') return null
      const timestamp = String(Math.floor(nowMs / 1000))
      const signed = secret === '' ? {} : { timestamp, sign: sha256(`${timestamp}\n${secret}`, '') }
      return { url, body: { ...signed, msg_type: 'text', content: { text: withoutTags(plain(text)) } } }
    },
    accepts: (response) => isZero('code')(response) || isZero('StatusCode')(response),
  },
  /** https://open.dingtalk.com/document/robots/custom-robot-access */
  dingtalk: {
    request(text, { EventDingTalkUrl: address, EventDingTalkSecret: secret }, nowMs) {
      if (address === '') return null
      const url = new URL(address)
      if (secret !== '') {
        const timestamp = String(Math.floor(nowMs))
        url.searchParams.set('timestamp', timestamp)
        url.searchParams.set('sign', sha256(secret, `${timestamp}\n${secret}`))
      }
      return { url: url.href, body: { msgtype: 'text', text: { content: plain(text) } } }
    },
    accepts: isZero('errcode'),
  },
  /** https://developer.work.weixin.qq.com/document/path/91770: at most 2048 bytes. */
  wecom: {
    request: (text, { EventWeComUrl: url }) =>
      url === ''
        ? null
        : { url, body: { msgtype: 'text', text: { content: cutBytes(withoutTags(plain(text)), 2048) } } },
    accepts: isZero('errcode'),
  },
  /** https://core.telegram.org/bots/api#sendmessage: at most 4096 characters. */
  telegram: {
    request: (text, { EventTelegramToken: token, EventTelegramChat: chat }) =>
      token === '' || chat === ''
        ? null
        : {
            url: `https://api.telegram.org/bot${encodeURIComponent(token).replace('%3A', ':')}/sendMessage`,
            body: { chat_id: chat, text: plain(text).slice(0, 4096) },
          },
  },
  /** https://discord.com/developers/docs/resources/webhook#execute-webhook: at most 2000 characters. */
  discord: {
    request: (text, { EventDiscordUrl: url }) =>
      url === '' ? null : { url, body: { content: plain(text).slice(0, 2000), allowed_mentions: { parse: [] } } },
  },
}

const noText: EventText = { title: '', content: '', link: '' }

/** Returns the targets that the site has set up. */
export const targetsOf = (options: OptionValues): EventTarget[] =>
  eventTargets.filter((target) =>
    target === 'json' ? options.EventWebhookUrl !== '' : targets[target].request(noText, options, 0) !== null,
  )

/** Returns how an event, which waits as JSON, is sent now; null where the target is no longer set up. */
export function eventOutgoing(
  { catalog, clock }: Pick<Context, 'catalog' | 'clock'>,
  { id, target, body }: { readonly id: string; readonly target: EventTarget; readonly body: string },
): Outgoing | null {
  const { options } = catalog.current
  if (target === 'json')
    return options.EventWebhookUrl === ''
      ? null
      : { id, url: options.EventWebhookUrl, body, secret: options.EventWebhookSecret || null }
  const request = targets[target].request(EventText.parse(JSON.parse(body)), options, clock.now())
  return request && { id, url: request.url, body: JSON.stringify(request.body), secret: null }
}

/** Returns whether a target took what it responded to with this status and text. */
export const isTaken = (target: EventTarget, status: number, response: string): boolean =>
  status >= 200 && status < 300 && (target === 'json' || (targets[target].accepts?.(response) ?? true))

/** Deliveries of the site itself have this in place of a user. */
export const siteId = 0
const prefix = 'operator:'

/** Returns what is stored as the address of a delivery: the address itself is a secret of the site. */
export const storedAddress = (target: EventTarget): string => prefix + target

/** Returns the name of the target that a stored address stands for. */
export const targetName = (url: string): string => url.slice(prefix.length)

/** Returns the target that a stored address stands for; undefined where it is one of a user. */
export const targetOf = (url: string, userId: number): EventTarget | undefined =>
  userId === siteId ? eventTargets.find((target) => url === storedAddress(target)) : undefined
