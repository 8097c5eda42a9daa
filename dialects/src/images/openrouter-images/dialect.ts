import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { openRouterImagesCodec } from './codec'

/** `POST /v1/images` of OpenRouter; only upstreams speak it. */
export const openRouterImages: Dialect = imageDialect('openrouter-images', openRouterImagesCodec)
