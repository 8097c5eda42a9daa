import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { asTable, json, type Table } from './json'
import { choice, flag, secret, text } from './option'
import { exactWebAddress, imageAddress, webAddress } from './texts'

/** One entry of the chat menu: its name and a link in which `{key}` and `{address}` are filled in. */
const ChatEntry = (): z.ZodType<Table<string>> =>
  z
    .record(z.string().min(1).max(64), z.string().min(1).max(2048))
    .refine((entry) => Object.keys(entry).length === 1, refusal('reason.one_chat_entry'))
    .refine(
      (entry) => Object.values(entry).every((link) => !/^\s*(javascript|data|vbscript):/i.test(link)),
      refusal('reason.script_link'),
    )

const chatClients: readonly Table<string>[] = [
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
  { AMA: 'ama://set-api-key?server={address}&key={key}' },
  { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
]

/** The name of the site, its address, and its appearance. */
export const siteOptions = {
  ServerAddress: webAddress('address', 'http://localhost:3000', true),
  WorkerUrl: webAddress('worker'),
  WorkerValidKey: secret('worker'),
  /** Proxies in TRUSTED_PROXIES are believed unless it is switched off. */
  ReverseProxyEnabled: flag('proxy', true),
  ReverseProxyProvider: choice('proxy', ['nginx', 'cloudflare']),
  DemoSiteEnabled: flag('operation', false, { isPublic: true, grant: 'settings.write' }),
  SelfUseModeEnabled: flag('operation', false, { isPublic: true, grant: 'prices.write' }),
  TopUpLink: exactWebAddress('operation', true),
  'general_setting.docs_link': exactWebAddress('operation', true),
  Chats: asTable(
    json('chats', chatClients, () => z.array(ChatEntry()).max(50), true),
    'link',
    'chat',
  ),

  SystemName: text('appearance', 'Tollgate', { isPublic: true, max: 100 }),
  Logo: imageAddress('appearance'),
  DefaultCollapseSidebar: flag('appearance', false, { isPublic: true }),

  Notice: text('texts', '', { isPublic: true, format: 'markdown' }),
  HomePageContent: text('texts', '', { isPublic: true, format: 'markdown' }),
  About: text('texts', '', { isPublic: true, format: 'markdown' }),
  Footer: text('texts', '', { isPublic: true, format: 'html' }),

  custom_head_html: text('code', '', { isPublic: true, format: 'head' }),
  global_css: text('code', '', { isPublic: true, format: 'css' }),
  global_js: text('code', '', { isPublic: true, format: 'javascript' }),

  VersionCheckUrl: exactWebAddress('updates'),
}
