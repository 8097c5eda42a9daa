import type { Warn } from '../neutral/codec'
import type { NeutralImageCall } from '../neutral/image'

/** How OpenAI's requests name the options, which is what callers know. */
const names = {
  size: 'size',
  aspectRatio: 'aspect_ratio',
  quality: 'quality',
  background: 'background',
  format: 'output_format',
  compression: 'output_compression',
  negativePrompt: 'negative_prompt',
  seed: 'seed',
  images: 'image',
  mask: 'mask',
  user: 'user',
} as const satisfies Partial<Record<keyof NeutralImageCall, string>>

/** Warns of those options that the request sets and the target dialect cannot express. */
export function warnOf(call: NeutralImageCall, options: readonly (keyof typeof names)[], warn: Warn): void {
  for (const option of options) if (isSet(call, option)) warn(names[option])
}

function isSet(call: NeutralImageCall, option: keyof typeof names): boolean {
  if (option === 'images') return call.images.length > 0
  return call[option] !== null
}
