import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { miniMaxImagesCodec } from './codec'

/** `POST /v1/image_generation`; only upstreams speak it. */
export const miniMaxImages: Dialect = imageDialect('minimax-images', miniMaxImagesCodec)
