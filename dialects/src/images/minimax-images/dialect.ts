import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { miniMaxImagesCodec } from './codec'

/** `POST /v1/image_generation`; only upstreams speak it. */
export const miniMaxImages: Dialect = imageDialect('minimax-images', miniMaxImagesCodec)
