import * as z from 'zod'

import { refusal } from '../phrases'
import { json, type Table } from './json'
import { choice, flag, secret, text } from './option'
import { exactWebAddress, pictureAddress, webAddress } from './texts'

/** One entry of the chat menu: its name and a link in which `{key}` and `{address}` are filled in. */
const ChatEntry: z.ZodType<Table<string>> = z
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

/** What the site is called, where it is, and how it looks. */
export const siteOptions = {
  ServerAddress: webAddress('site', 'http://localhost:3000', true),
  WorkerUrl: webAddress('site'),
  WorkerValidKey: secret('site'),
  ReverseProxyEnabled: flag('site', false),
  ReverseProxyProvider: choice('site', ['nginx', 'cloudflare']),
  DemoSiteEnabled: flag('site', false, { isPublic: true, grant: 'settings.write' }),
  SelfUseModeEnabled: flag('site', false, { isPublic: true, grant: 'prices.write' }),
  TopUpLink: exactWebAddress('site', true),
  'general_setting.docs_link': exactWebAddress('site', true),
  Chats: json('site', chatClients, z.array(ChatEntry).max(50), true),

  SystemName: text('appearance', 'Tollgate', { isPublic: true, max: 100 }),
  Logo: pictureAddress('appearance'),
  Footer: text('appearance', '', { isPublic: true, format: 'html' }),
  About: text('appearance', '', { isPublic: true, format: 'html' }),
  HomePageContent: text('appearance', '', { isPublic: true, format: 'html' }),
  Notice: text('appearance', '', { isPublic: true, format: 'html' }),
  custom_head_html: text('appearance', '', { isPublic: true, grant: 'settings.secure', format: 'html' }),
  global_css: text('appearance', '', { isPublic: true, grant: 'settings.secure', format: 'css' }),
  global_js: text('appearance', '', { isPublic: true, grant: 'settings.secure', format: 'javascript' }),
  DefaultCollapseSidebar: flag('appearance', false, { isPublic: true }),
}
