import { header } from '../auth'
import { baseUrlField } from '../fields'
import { defineProvider, type Provider } from '../provider'
import { midjourneyTasks } from './midjourney-tasks'

/** What both kinds of the proxy have in common. It serves tasks alone. */
const proxy = {
  auth: header('mj-api-secret'),
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'The proxy’s secret, sent as mj-api-secret; separate several with commas',
      zh: '代理服务的密钥，以 mj-api-secret 请求头发送；多个密钥以英文逗号分隔',
    },
    several: true,
  },
  modes: {},
  tasks: { mj: midjourneyTasks },
} satisfies Partial<Provider>

const addressField = (home: string) =>
  baseUrlField(home, {
    hint: {
      en: `The address before /mj, your own installation’s or a reseller’s; empty: ${home}`,
      zh: `/mj 之前的地址，可填自建服务或第三方服务；留空则为 ${home}`,
    },
    required: false,
  })

/** https://github.com/novicezk/midjourney-proxy */
export const midjourney = defineProvider({
  ...proxy,
  type: 2,
  id: 'midjourney',
  name: { en: 'Midjourney Proxy', zh: '绘图：Midjourney Proxy' },
  baseUrl: 'https://oa.api2d.net',
  fields: [addressField('https://oa.api2d.net')],
  models: ['mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_upscale', 'mj_describe', 'mj_upload'],
})

/** The proxy with the buttons under an image: https://github.com/litter-coder/midjourney-proxy-plus */
export const midjourneyPlus = defineProvider({
  ...proxy,
  type: 5,
  id: 'midjourney-plus',
  name: { en: 'Midjourney Proxy Plus', zh: '绘图：Midjourney Proxy Plus' },
  baseUrl: 'https://api.openai-sb.com',
  fields: [addressField('https://api.openai-sb.com')],
  models: [
    'mj_imagine',
    'mj_variation',
    'mj_high_variation',
    'mj_low_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_zoom',
    'mj_custom_zoom',
    'mj_pan',
    'mj_inpaint',
    'mj_modal',
    'mj_describe',
    'mj_shorten',
    'mj_upload',
    'mj_edits',
    'mj_video',
    'swap_face',
  ],
})
