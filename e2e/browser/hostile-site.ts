import { messageRoutes, tokenRoutes } from '@tollgate/contract'

import { call } from '../call'
import { aSite, type Site } from './site'

const run = 'window.__pwned=(window.__pwned||0)+1'

/** No click may lead here that does not hit the text itself. */
const overlay = 'https://evil.example/over-the-page'

/** Each would run a script, navigate to one, reverse the text direction or lie over the page if it were interpreted. */
const tricks = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg onload=${run}></svg>`,
  `<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>`,
  `<a href="javascript:${run}">html link</a>`,
  `[markdown link](javascript:${run})`,
  `![picture](javascript:${run})`,
  `"><style>body{display:none}</style>`,
  `<a href="${overlay}" style="position:fixed;top:0;left:0;width:100vw;height:100vh;z-index:2147483647">x</a>`,
  `<a href="${overlay}" style="display:block;width:200vw;height:200vh;margin:-100vh 0 0 -50vw">x</a>`,
  `<a href="${overlay}" style="display:block;width:9999px;height:9px">x</a>`,
  `<dialog open style="position:fixed;inset:0;width:100vw;height:100vh"><a href="${overlay}">x</a></dialog>`,
  '{{constructor.constructor("window.__pwned=1")()}}',
  '\u202Egnp.exe \u2066\u200B',
]

/** A long word without break opportunities. */
const word = (length: number) => 'W'.repeat(length)

/** All tricks at once, with a word too long for any column. */
export const everything = `${tricks.join('\n\n')}\n\n${word(2000)}\n\n\`\`\`html\n${tricks[0]}${word(800)}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${word(500)} | ${tricks[1]} |\n`

/** For names, which have a maximum length. */
const createHostileName = (length: number) => `<img src=x onerror=${run}>\u202E${word(length)}`.slice(0, length)

export const model = `<img/src=x onerror="${run}">-${word(60)}`
export const channelName = createHostileName(255)
export const tokenName = createHostileName(50)
const failingModel = `fails-"><script>${run}</script>`

export interface HostileSite extends Site {
  readonly channelId: number
  readonly tokenId: number
  /** An HTML message to all users. */
  readonly messageId: number
}

/** A site where everyone with write access wrote the worst: operators, users, upstreams and models. */
export async function aHostileSite(): Promise<HostileSite> {
  const site = await aSite()
  const { console: admin, simulator } = site
  await admin.setOptions({
    SystemName: createHostileName(100),
    Notice: everything,
    About: everything,
    HomePageContent: `<div>${everything}</div>`,
    Footer: everything,
    LogErrorEnabled: true,
    LogChatContentEnabled: true,
    GroupRatio: { default: 1, [createHostileName(40)]: 1 },
    UserUsableGroups: { default: createHostileName(255), [createHostileName(40)]: createHostileName(255) },
    ModelRatio: { [model]: 1, [failingModel]: 1 },
  })
  const base_url = simulator.url
  const channelId = await admin.addChannel({
    name: channelName,
    base_url,
    models: `${model},${failingModel}`,
    tag: createHostileName(60),
  })
  const key = await admin.addToken({ name: tokenName })
  simulator.when(({ json }) => textOf(json) === failingModel, {
    fault: { kind: 'status', status: 400, body: { error: { message: everything, type: tricks[0], code: tricks[1] } } },
  })
  simulator.when(({ json }) => textOf(json) === model, { text: everything })
  for (const requestedModel of [model, failingModel, model]) {
    await call(site.gateway, key, { model: requestedModel, messages: [{ role: 'user', content: everything }] })
  }
  const { id: messageId } = await admin.call(messageRoutes.createMessage, {
    body: { title: createHostileName(255), content: everything, format: 'html', audience: { kind: 'all' } },
  })
  const { items } = await admin.call(tokenRoutes.listTokens, { query: {} })
  return { ...site, channelId, messageId, tokenId: items[0]?.id ?? 0 }
}

const textOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'model' in json ? json.model : undefined
