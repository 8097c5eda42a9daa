import type { Agent } from '../agent'
import { aider } from './aider'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import { continues } from './continue'
import { geminiFamily } from './gemini-family'
import { llm } from './llm'
import { opencodes } from './opencode'

export const fleet: readonly Agent[] = [claudeCode, codex, ...geminiFamily, ...opencodes, ...continues, aider, llm]
