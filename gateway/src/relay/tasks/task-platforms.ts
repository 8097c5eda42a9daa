import { commonFailure } from './common/common-failure'
import { drawingFailure } from './midjourney/drawing-failure'
import { songFailure } from './suno/song-failure'
import type { TaskPlatformCalls } from './task-endpoint'

/** The only list. */
const platforms: readonly TaskPlatformCalls[] = [
  {
    prefix: /^(?:\/mj-(?:fast|relax|turbo))?\/mj\//,
    failure: drawingFailure,
    load: () => import('./midjourney/drawing-calls').then(({ drawingCalls }) => drawingCalls),
  },
  {
    prefix: /^\/(?:pg\/)?suno\//,
    needsTaskEnabled: true,
    failure: songFailure,
    load: () => import('./suno/song-calls').then(({ songCalls }) => songCalls),
  },
  {
    prefix: /^\/v1\/tasks(?=\/|$)/,
    failure: commonFailure,
    load: () => import('./common/common-calls').then(({ commonCalls }) => commonCalls),
  },
  {
    prefix: /^\/(?:v1|pg)\/videos(?!\/(?:characters|edits|extensions)(?:\/|$))(?=\/|$)/,
    needsTaskEnabled: true,
    failure: commonFailure,
    load: () => import('./videos/video-calls').then(({ videoCalls }) => videoCalls),
  },
  {
    prefix: /^\/v1\/images\/(?:generations|edits)(?=\/)/,
    failure: commonFailure,
    load: () => import('./images/image-calls').then(({ imageCalls }) => imageCalls),
  },
  {
    // Beside it are other calls of the vendor's, which no channel can serve.
    prefix: /^\/v1\/responses(?=\/(?!compact$|input_tokens$)[^/]+(?:\/cancel)?$)/,
    failure: commonFailure,
    load: () => import('./responses/response-calls').then(({ responseCalls }) => responseCalls),
  },
]

/** Returns the platform that a path belongs to, undefined where it belongs to none. */
export const taskPlatformAt = (path: string): TaskPlatformCalls | undefined =>
  platforms.find(({ prefix }) => prefix.test(path))
