import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { titanImagesCodec } from './codec'

/** `POST /model/{model}/invoke` of Amazon's own models; only upstreams speak it. */
export const titanImages: Dialect = imageDialect('titan-images', titanImagesCodec)
