import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { xAiImagesCodec } from './codec'

/** `POST /v1/images/edits` of xAI; only upstreams speak it. */
export const xAiImages: Dialect = imageDialect('xai-images', xAiImagesCodec)
