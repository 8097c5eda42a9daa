import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { dashScopeImagesCodec } from './codec'

/** `POST /api/v1/services/aigc/multimodal-generation/generation`; only upstreams speak it. */
export const dashScopeImages: Dialect = imageDialect('dashscope-images', dashScopeImagesCodec)
