import type { Frame, VideoRequest } from './video-request'

/** Returns the pixels of a size such as `1280x720` or `832*480`; null for any other text. */
export function frameOf(size: string): Frame | null {
  const match = /^(\d{2,5})[x*](\d{2,5})$/i.exec(size.trim())
  return match && { width: Number(match[1]), height: Number(match[2]) }
}

const larger: Readonly<Record<string, string>> = { '1440p': '2k', '2160p': '4k' }

/** Returns a resolution in the words of prices: `720p` for `720P`, 720 or `1280x720`; null where the value is not one. */
export function resolutionName(value: unknown): string | null {
  if (typeof value === 'number') return resolutionName(String(value))
  if (typeof value !== 'string') return null
  const frame = frameOf(value)
  const name = frame ? `${Math.min(frame.width, frame.height)}p` : value.trim().toLowerCase()
  if (/^\d+$/.test(name)) return resolutionName(`${name}p`)
  return /^\d+[pk]$/.test(name) ? (larger[name] ?? name) : null
}

/** Returns the resolution that a client asks for by name or by the shorter side of the frame; null when it asks for none. */
export const requestedResolution = ({ resolution, frame }: Pick<VideoRequest, 'resolution' | 'frame'>): string | null =>
  resolution ?? (frame && resolutionName(`${frame.width}x${frame.height}`))

/** Returns the resolution of those offered that is nearest to the requested one; the first where none is asked for. */
export function nearestResolution(
  request: Pick<VideoRequest, 'resolution' | 'frame'>,
  offered: readonly string[],
): string {
  const [usual = '720p'] = offered
  if (request.resolution !== null || request.frame === null) return request.resolution ?? usual
  const side = Math.min(request.frame.width, request.frame.height)
  return nearest(offered, (name) => Math.log(linesOf(name) / side))
}

const linesOf = (name: string): number =>
  name === '2k' ? 1440 : name === '4k' ? 2160 : Number(/^\d+/.exec(name)?.[0] ?? 720)

/** Returns the aspect ratio that a client asks for, or the one of those offered that is nearest to its frame; null when it asks for none. */
export function requestedRatio(
  { aspectRatio, frame }: Pick<VideoRequest, 'aspectRatio' | 'frame'>,
  offered: readonly string[] = commonRatios,
): string | null {
  if (aspectRatio !== null || frame === null) return aspectRatio
  const requested = Math.log(frame.width / frame.height)
  return nearest(offered, (ratio) => {
    const [width = 1, height = 1] = ratio.split(':').map(Number)
    return Math.log(width / height) - requested
  })
}

const commonRatios: readonly string[] = ['16:9', '9:16', '1:1', '4:3', '3:4']

const nearest = (offered: readonly string[], distance: (name: string) => number): string =>
  offered.toSorted((one, other) => Math.abs(distance(one)) - Math.abs(distance(other)))[0] ?? ''
