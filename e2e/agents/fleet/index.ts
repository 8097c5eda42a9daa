import type { Agent } from '../agent'
import { aider } from './aider'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import { continues } from './continue'
import { geminiCli } from './gemini-cli'
import { llm } from './llm'
import { opencodes } from './opencode'
import { qwenCode } from './qwen-code'

export const fleet: readonly Agent[] = [claudeCode, codex, geminiCli, qwenCode, ...opencodes, ...continues, aider, llm]
