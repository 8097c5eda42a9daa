import { hasPartsOrOne, regionalBaseUrlField } from '../fields'
import { defineProvider } from '../provider'
import { klingVideos } from './kling-videos'

/** Kuaishou's models of videos. https://app.klingai.com/global/dev/document-api */
export const kling = defineProvider({
  type: 50,
  id: 'kling',
  name: { en: 'Kling AI', zh: '可灵 AI' },
  baseUrl: 'https://api-beijing.klingai.com',
  auth: () => ({}),
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'AccessKey|SecretKey, or the key of a gateway that serves Kling; separate several with commas',
      zh: 'AccessKey|SecretKey，或提供可灵服务的网关密钥；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: hasPartsOrOne(2),
  },
  modes: {},
  tasks: { video: klingVideos },
  fields: [regionalBaseUrlField('https://api-beijing.klingai.com', 'https://api-singapore.klingai.com')],
  models: [
    'kling-v3',
    'kling-v2-6',
    'kling-v2-5-turbo',
    'kling-v2-1-master',
    'kling-v2-1',
    'kling-v2-master',
    'kling-v1-6',
    'kling-v1',
  ],
})
