import { isObject } from './json'

/** A plain and steady measure of a prompt: four characters a token, 85 an image, three a message. */
export function promptTokensOf(messages: readonly unknown[]): number {
  return Math.max(1, messages.length * 3 + messages.reduce<number>((sum, content) => sum + tokensIn(content), 0))
}

/** The same measure of an input that is not a conversation. */
export const inputTokensOf = (input: unknown): number => Math.max(1, tokensIn(input))

function tokensIn(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 4)
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + tokensIn(part), 0)
  if (!isObject(value)) return 0
  return value['type'] === 'text' ? tokensIn(value['text']) : 85
}
