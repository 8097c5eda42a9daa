import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { dashScopeImagesCodec } from './codec'

/** `POST /api/v1/services/aigc/multimodal-generation/generation`; only upstreams speak it. */
export const dashScopeImages: Dialect = imageDialect('dashscope-images', dashScopeImagesCodec)
