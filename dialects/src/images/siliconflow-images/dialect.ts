import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { siliconFlowImagesCodec } from './codec'

/** `POST /v1/images/generations` of SiliconFlow with images; only upstreams speak it. */
export const siliconFlowImages: Dialect = imageDialect('siliconflow-images', siliconFlowImagesCodec)
