import { anthropic } from './anthropic/dialect'
import type { Call, Dialect } from './dialect'
import { gemini } from './gemini/dialect'
import { openai } from './openai/dialect'

/** The first that serves a call answers it. */
const dialects: readonly Dialect[] = [anthropic, gemini]

export const dialectOf = (call: Call): Dialect => dialects.find((dialect) => dialect.serves(call)) ?? openai
