import type { FormFile, JsonObject } from '@tollgate/dialects'

import type { OriginTask, TaskApi, TaskTarget, TaskUsage } from '../tasks'

/** A video that a client asks for, in no vendor's words. Null: the vendor chooses. */
export interface VideoRequest {
  readonly prompt: string
  readonly negativePrompt: string | null
  /** Whole and positive. */
  readonly seconds: number | null
  readonly frame: Frame | null
  /** As `720p`, `2k` or `4k`. */
  readonly resolution: string | null
  /** As `16:9`. */
  readonly aspectRatio: string | null
  /** In the vendor's words, as `pro`. */
  readonly quality: string | null
  /** Whether the video shall have sound. */
  readonly hasSound: boolean | null
  readonly seed: number | null
  readonly firstFrame: Image | null
  readonly lastFrame: Image | null
  /** What is to be seen in the video, without being a frame of it. */
  readonly references: readonly Image[]
  /** Other members of the request; each vendor picks those that it knows and that do not change the price. */
  readonly own: JsonObject
  /** The video that this one is a remix of. */
  readonly origin?: OriginTask
}

/** Pixels. */
export interface Frame {
  readonly width: number
  readonly height: number
}

/** A file of a form, or an address: `https:` or `data:`. */
export type Image = FormFile | string

/** How a vendor makes videos. */
export interface VideoApi extends TaskApi<VideoRequest> {
  /**
   * Returns what `submit` asks the vendor for, with what it adds where the client leaves the choice open. The hold is based on it; it is
   * charged where the vendor does not report what came, and more than it is never charged.
   */
  readonly accepts: (request: VideoRequest, target: Pick<TaskTarget, 'model'>) => TaskUsage
}

/** Most videos take one to five minutes. Vendors keep tasks for a day or longer. */
export const usualPace = {
  batch: 1,
  pollMs: [10_000, 10_000, 10_000, 15_000],
  deadlineMs: 24 * 3_600_000,
} as const
