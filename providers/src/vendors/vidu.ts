import { keyFormat, regionalBaseUrlField } from '../fields'
import { defineProvider } from '../provider'
import { viduVideos } from './vidu-videos'

/** Shengshu's models of videos. https://platform.vidu.com/docs */
export const vidu = defineProvider({
  type: 52,
  id: 'vidu',
  name: { en: 'Vidu', zh: 'Vidu' },
  baseUrl: 'https://api.vidu.cn',
  auth: ({ key }) => ({ authorization: `Token ${key}` }),
  billsAbandoned: 'all',
  key: keyFormat('vda_…'),
  modes: {},
  tasks: { video: viduVideos },
  fields: [regionalBaseUrlField('https://api.vidu.cn', 'https://api.vidu.com')],
  models: ['viduq3-pro', 'viduq3-turbo', 'viduq2', 'viduq2-pro', 'viduq2-turbo', 'viduq1', 'vidu2.0'],
})
