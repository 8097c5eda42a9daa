import { catalogPriceOf } from '@tollgate/models'

/** US dollars for a thousand calls of a vendor's built-in tools. An option may name `tool` or `tool:model`. */
export const fileSearchPrice = (model: string): number => catalogPriceOf(model)?.prices.file_search ?? 2.5

/** A picture of the lowest quality by OpenAI's tool: 272 tokens at 40 dollars a million. https://platform.openai.com/docs/pricing */
export const imageGenerationPrice = 10.88

/** Searching costs more with models that do not reason, as what they read is not billed as tokens. */
export function webSearchPrice(model: string): number {
  const listed = catalogPriceOf(model)?.prices.web_search
  if (listed !== undefined) return listed
  if (model.startsWith('gpt-4o') || model.startsWith('gpt-4.1')) return 25
  if (model.startsWith('grok')) return 5
  return model.startsWith('gemini') ? 14 : 10
}
