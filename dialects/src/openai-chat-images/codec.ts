import { imageAt, imageData, noImages, type UpstreamImageCodec } from '../neutral/image'
import { aspectRatioOf, commonRatios, isResolution, resolutionOf } from '../neutral/image-size'
import { objectOf, objectsOf, readDataUrl, textOf, textOrNull, written } from '../neutral/read'
import { addressOf } from '../neutral/source-address'
import { warnOf } from '../shared/unsupported-image-options'
import { usageIn } from '../shared/usage'

/** Chat completions whose answers hold images. https://openrouter.ai/docs/features/multimodal/image-generation */
export const openAiChatImagesCodec: UpstreamImageCodec = {
  writeCall: (call, warn) => {
    warnOf(call, ['background', 'format', 'compression', 'negativePrompt', 'mask'], warn)
    if (!isResolution(call.quality)) warnOf(call, ['quality'], warn)
    const images = call.images.map((source) => ({ type: 'image_url', image_url: { url: addressOf(source) } }))
    const config = written({
      aspect_ratio: aspectRatioOf(call, commonRatios) ?? undefined,
      image_size: resolutionOf(call) ?? undefined,
    })
    return written({
      model: call.model,
      messages: [{ role: 'user', content: [{ type: 'text', text: call.prompt }, ...images] }],
      modalities: ['image', 'text'],
      image_config: Object.keys(config).length > 0 ? config : undefined,
      seed: call.seed ?? undefined,
      user: call.user ?? undefined,
    })
  },

  readAnswer: (answer) => {
    const messages = objectsOf(answer['choices']).map(({ message }) => objectOf(message))
    const addresses = messages
      .flatMap(({ images }) => objectsOf(images))
      .map((image) => textOf(objectOf(image['image_url'])['url']))
    const images = addresses.flatMap((address) => {
      const inline = readDataUrl(address)
      if (inline) return [imageData(inline.data, inline.mime)]
      return address === '' ? [] : [imageAt(address)]
    })
    const said = messages.map(({ refusal, content }) => textOf(refusal) || textOf(content)).join('')
    return { ...noImages, images, usage: usageIn(answer), refusal: images.length > 0 ? null : textOrNull(said) }
  },
}
