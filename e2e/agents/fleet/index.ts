import type { Agent } from '../agent'
import { aider } from './aider'
import { claudeCode } from './claude-code'
import { codexes } from './codex'
import { continues } from './continue'
import { geminiFamily } from './gemini-family'
import { llm } from './llm'
import { opencodes } from './opencode'

export const fleet: readonly Agent[] = [claudeCode, ...codexes, ...geminiFamily, ...opencodes, ...continues, aider, llm]
