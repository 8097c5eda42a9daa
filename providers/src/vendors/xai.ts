import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import {
  openAiChat,
  openAiCompletions,
  openAiResponses,
  ownImages,
  plainTranscriptions,
  wholeOpenAiImages,
  withoutUnknown,
} from '../modes'
import { defineProvider } from '../provider'
import { hasClientTool } from '../responses-only'
import { type Change, onlyMembers, composeShape, withoutMembers } from '../shape'
import { openAiPath } from '../urls'
import { needsXAiResponses, shapeXAiChat, shapeXAiResponses } from './xai-shape'
import { xAiVideos } from './xai-videos'

const known: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'n',
  'response_format',
  'aspect_ratio',
  'resolution',
  'user',
])

/** The vendor refuses OpenAI's other members, sizes among them. https://docs.x.ai/docs/guides/image-generation */
const imageMembers: Change = (body, _target, warn) => onlyMembers(body, known, warn)

const chat = openAiChat({ shape: shapeXAiChat })
/** It refuses other tools than functions and its own. https://github.com/lidge-jun/opencodex/pull/2270 */
const responses = openAiResponses({ shape: shapeXAiResponses, needsRewriting: hasClientTool })

/** https://docs.x.ai/docs/api-reference */
export const xAi = defineProvider({
  type: 48,
  id: 'xai',
  traceName: 'x_ai',
  name: { en: 'xAI', zh: 'xAI' },
  baseUrl: 'https://api.x.ai',
  auth: bearer(),
  billsAbandoned: 'whole',
  key: keyFormat('xai-…'),
  modes: {
    chat: (target) => (needsXAiResponses(target) ? responses : chat),
    completions: openAiCompletions(),
    speech: { dialect: 'xai-speech', url: ({ baseUrl }) => `${baseUrl}/v1/tts`, acceptsStreamOptions: false },
    transcription: plainTranscriptions({
      url: ({ baseUrl }) => `${baseUrl}/v1/stt`,
      shape: composeShape(withoutUnknown('prompt', 'temperature'), (body) => withoutMembers(body, 'model')),
    }),
    images: wholeOpenAiImages({ shape: composeShape(imageMembers), maxImages: 10 }),
    'image-edits': ownImages('xai-images', { url: openAiPath(), maxImages: 10 }),
  },
  responses,
  tasks: { video: xAiVideos },
  fields: [],
  models: [
    'grok-imagine-video-1.5',
    'grok-imagine-video-1.5-lite',
    'grok-imagine-video',
    'grok-4.5',
    'grok-4.3',
    'grok-4.20-reasoning',
    'grok-4.20-non-reasoning',
    'grok-4-1-fast-reasoning',
    'grok-4-1-fast-non-reasoning',
    'grok-4-0709',
    'grok-code-fast-1',
    'grok-3',
    'grok-3-beta',
    'grok-3-fast-beta',
    'grok-3-mini',
    'grok-3-mini-beta',
    'grok-3-mini-beta-high',
    'grok-3-mini-beta-medium',
    'grok-3-mini-beta-low',
    'grok-3-mini-fast-beta',
    'grok-2-1212',
    'grok-2-vision-1212',
    'grok-beta',
    'grok-vision-beta',
    'grok-imagine-image-2.0',
    'grok-imagine-image-quality',
    'grok-imagine-image',
  ],
  modelList: openAiModelList(),
})
