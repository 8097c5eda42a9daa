import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { stabilityImagesCodec } from './codec'

/** `POST /model/{model}/invoke` of Stability AI's models; only upstreams speak it. */
export const stabilityImages: Dialect = imageDialect('stability-images', stabilityImagesCodec)
