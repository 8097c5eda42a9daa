import type { Dialect } from '../dialect'
import { imageDialect } from '../dialect-from-codec'
import { cloudflareImagesCodec } from './codec'

/** `POST …/ai/run/{model}` of models that draw; only upstreams speak it. */
export const cloudflareImages: Dialect = {
  ...imageDialect('cloudflare-images', cloudflareImagesCodec),
  withModel: (body) => body,
}
