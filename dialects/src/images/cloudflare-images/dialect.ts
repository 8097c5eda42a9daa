import type { Dialect } from '../../core/dialect'
import { imageDialect } from '../../core/dialect-from-codec'
import { cloudflareImagesCodec } from './codec'

/** `POST …/ai/run/{model}` of models that draw; only upstreams speak it. */
export const cloudflareImages: Dialect = {
  ...imageDialect('cloudflare-images', cloudflareImagesCodec),
  withModel: (body) => body,
}
