import { hasParts } from '../fields'
import { defineProvider } from '../provider'
import { jimengVideos } from './jimeng-videos'

/** ByteDance's models of videos in Volcengine's API for visual intelligence. https://www.volcengine.com/docs/85621/1544716 */
export const jimeng = defineProvider({
  type: 51,
  id: 'jimeng',
  name: { en: 'Jimeng', zh: '即梦' },
  baseUrl: 'https://visual.volcengineapi.com',
  auth: () => ({}),
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'AccessKeyID|SecretAccessKey of Volcengine; separate several with commas',
      zh: '火山引擎的 AccessKeyID|SecretAccessKey；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: hasParts(2),
  },
  modes: {},
  tasks: { video: jimengVideos },
  fields: [],
  models: ['jimeng_v30', 'jimeng_v30_1080p', 'jimeng_ti2v_v30_pro'],
})
