import type { PriceEntry, PriceMode } from '@tollgate/models'

const portrait = '1024x1792'
const landscape = '1792x1024'

const mode = (price: number, match: { readonly size?: string; readonly quality?: string }): PriceMode => ({
  name: Object.values(match).join(' '),
  match,
  prices: { per_image: price },
})

/** A page that is read, with what it costs where a schema for annotations is given. https://mistral.ai/pricing#api-pricing */
const page = (price: number, annotated: number): PriceEntry => ({
  prices: { per_image: price },
  modes: [mode(annotated, { quality: 'annotated' })],
})

/**
 * What a picture costs, or a page of a document, in US dollars, by size and quality, where the lists do not tell or tell only of one size.
 * https://platform.openai.com/docs/pricing, https://ai.google.dev/gemini-api/docs/pricing
 */
export const picturePrices: Readonly<Record<string, PriceEntry>> = {
  'dall-e-2': {
    prices: { per_image: 0.02 },
    modes: [mode(0.016, { size: '256x256' }), mode(0.018, { size: '512x512' })],
  },
  'dall-e-3': {
    prices: { per_image: 0.04 },
    modes: [
      mode(0.12, { size: portrait, quality: 'hd' }),
      mode(0.12, { size: landscape, quality: 'hd' }),
      mode(0.08, { size: portrait }),
      mode(0.08, { size: landscape }),
      mode(0.08, { quality: 'hd' }),
    ],
  },
  'mistral-ocr-latest': page(0.004, 0.005),
  'mistral-ocr-4-1': page(0.004, 0.005),
  'mistral-ocr-4': page(0.004, 0.005),
  'mistral-ocr-4-0': page(0.004, 0.005),
  'mistral-ocr-3': page(0.002, 0.003),
  'mistral-ocr-3-0': page(0.002, 0.003),
  'mistral-ocr-2512': page(0.002, 0.003),
  'imagen-3.0-generate-002': { prices: { per_image: 0.03 } },
  'imagen-4.0-generate-001': { prices: { per_image: 0.04 } },
  'imagen-4.0-ultra-generate-001': { prices: { per_image: 0.06 } },
  'imagen-4.0-fast-generate-001': { prices: { per_image: 0.02 } },
}
