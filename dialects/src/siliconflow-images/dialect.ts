import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { siliconFlowImagesCodec } from './codec'

/** `POST /v1/images/generations` of SiliconFlow with images; only upstreams speak it. */
export const siliconFlowImages: Dialect = imageDialect('siliconflow-images', siliconFlowImagesCodec)
