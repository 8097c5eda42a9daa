import type { ThinkingForm } from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { openAiModelList } from '../model-list'
import { ownImages, thinkingChat } from '../modes'
import { defineProvider } from '../provider'
import { developerAsSystem } from '../refused'
import { type Change, withMember } from '../shape'
import { queryOf } from '../urls'
import { miniMaxVideos } from './minimax-videos'

/** The codes of `base_resp`: https://platform.minimaxi.com/docs/api-reference/errorcode */
const errorStatuses = {
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2049: 401,
  2056: 429,
}

/** Since M3 thinking can be switched off; the models before think always. https://platform.minimax.io/docs/api-reference/text-openai-api */
function thinkingForm(model: string): ThinkingForm | null {
  if (/^MiniMax-M(?:[3-9]|\d\d)/i.test(model)) return { switch: 'thinking', on: 'adaptive' }
  return /^MiniMax-M\d/i.test(model) ? { switch: null } : null
}

/** Any other temperature is refused. https://platform.minimax.io/docs/api-reference/text-openai-api */
const [coldest, hottest] = [0.01, 1]

const withinRange: Change = (body) => {
  const { temperature } = body
  return typeof temperature === 'number'
    ? withMember(body, 'temperature', Math.min(Math.max(temperature, coldest), hottest))
    : body
}

/** The last chunk of a stream holds the usage unasked: https://platform.minimaxi.com/docs/api-reference/text-post */
export const miniMax = defineProvider({
  type: 35,
  id: 'minimax',
  name: { en: 'MiniMax', zh: 'MiniMax' },
  baseUrl: 'https://api.minimax.chat',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('eyJ…'),
  modes: {
    chat: thinkingChat(thinkingForm, {
      url: ({ baseUrl, path }) => `${baseUrl}/v1/text/chatcompletion_v2${queryOf(path)}`,
      acceptsStreamOptions: false,
      changes: [developerAsSystem, withinRange],
      errorStatuses,
    }),
    speech: {
      dialect: 'minimax-speech',
      url: ({ baseUrl }) => `${baseUrl}/v1/t2a_v2`,
      acceptsStreamOptions: false,
      errorStatuses,
    },
    images: ownImages('minimax-images', {
      url: ({ baseUrl }) => `${baseUrl}/v1/image_generation`,
      maxImages: 9,
      errorStatuses,
    }),
  },
  tasks: { video: miniMaxVideos(errorStatuses) },
  fields: [regionalBaseUrlField('https://api.minimax.chat', 'https://api.minimax.io')],
  models: [
    'MiniMax-M3',
    'MiniMax-M2.7',
    'MiniMax-M2.7-highspeed',
    'MiniMax-M2.5',
    'MiniMax-M2.1',
    'MiniMax-M2',
    'MiniMax-M1',
    'MiniMax-Text-01',
    'MiniMax-H3',
    'MiniMax-H3-Max',
    'MiniMax-Hailuo-2.3',
    'MiniMax-Hailuo-2.3-Fast',
    'MiniMax-Hailuo-02',
    'abab6.5s-chat',
    'abab6.5-chat',
    'abab6-chat',
    'abab5.5s-chat',
    'abab5.5-chat',
    'image-01',
    'speech-2.6-hd',
    'speech-2.6-turbo',
    'speech-02-hd',
    'speech-02-turbo',
  ],
  modelList: openAiModelList(),
})
