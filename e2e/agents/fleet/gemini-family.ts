import type { ClientId } from '../../../console/src/features/connect/clients/clients'
import { mcpServers, type Agent } from '../agent'
import { connectLines, fileOf } from '../connect-lines'

interface Member extends Pick<Agent, 'name' | 'package' | 'search'> {
  readonly id: ClientId
  /** The folder of its settings. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** Arguments by which it goes on with the last conversation. */
  readonly resume: readonly string[]
  readonly args?: readonly string[]
  /** Arguments of its shell beside the command. */
  readonly shell?: object
}

const member = ({ id, folder, env, resume, args = [], shell = {}, ...agent }: Member): Agent => ({
  ...agent,
  files: (place) => ({
    [`${folder}/settings.json`]: JSON.stringify({
      ...JSON.parse(fileOf(connectLines(id, place), `${folder}/settings.json`)),
      mcpServers: mcpServers(place),
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    }),
  }),
  env: (place) => ({ ...env, ...connectLines(id, place).env }),
  args: (prompt, isNext, { model }) => [
    ...(isNext ? resume : []),
    '--prompt',
    prompt,
    '--model',
    model,
    '--approval-mode',
    'yolo',
    ...args,
  ],
  shell: { tool: /^run_shell_command$/, arguments: (command) => ({ command, ...shell }) },
})

/** Google's agent, and one that was made of it. */
export const geminiFamily: readonly Agent[] = [
  member({
    id: 'gemini-cli',
    name: 'Gemini CLI',
    package: { from: 'npm', name: '@google/gemini-cli', program: 'gemini' },
    folder: '.gemini',
    resume: ['--resume', 'latest'],
    args: ['--skip-trust'],
  }),
  member({
    id: 'qwen-code',
    name: 'Qwen Code',
    package: { from: 'npm', name: '@qwen-code/qwen-code', program: 'qwen' },
    folder: '.qwen',
    // It takes its proxy for addresses of the machine too.
    env: { HTTPS_PROXY: '' },
    resume: ['--continue'],
    shell: { is_background: false },
    search: { tool: /^tool_search$/, arguments: (name) => ({ query: `select:mcp__tickets__${name}` }) },
  }),
]
