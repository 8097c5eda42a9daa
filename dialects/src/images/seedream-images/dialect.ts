import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { seedreamImagesCodec } from './codec'

/** `POST /api/v3/images/generations` of Seedream with images; only upstreams speak it. */
export const seedreamImages: Dialect = imageDialect('seedream-images', seedreamImagesCodec)
